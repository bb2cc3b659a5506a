/** The courier's steps of a delivery besides the primary one. */
import { Fragment, type ReactNode, useState } from 'react';
import { attemptReasons, faults, reasonCodes } from '#contract/event.ts';
import { deliverySteps as words } from '#messages/en/delivery-steps.ts';
import { fields } from '#messages/en/fields.ts';
import { proof } from '#messages/en/proof.ts';
import { type BesideStep, primaryOf, stepsOf } from '#package-ui/detail-rules.ts';
import { reasonOf } from '#package-ui/timeline-rules.ts';
import { useDeliveryDraft } from '#package-ui/use-delivery-draft.ts';
import type { StepProps } from '#package-ui/use-package-actions.ts';
import { Button, type ButtonTone } from '#ui/button.tsx';
import { QuestionDialog, SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, Submit, TextAreaField } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import { type Complaint, useForm } from '#ui/use-form.ts';
import { DeliverButton } from './deliver-button.tsx';
import css from './delivery-steps.module.css';
import { HandoverButton } from './handover-step.tsx';

/** The reason, and a note where the reason needs one. */
function AttemptDialog({ view, actions }: Pick<StepProps, 'view' | 'actions'>) {
  const { draft, change, clear, close } = useDeliveryDraft(view.id, 'attempt');
  const { note } = draft;
  const reason = reasonOf(draft.reason);
  const needsNote = reason !== null && attemptReasons[reason].needsNote;
  const form = useForm({
    values: { reason, note },
    onChange: (typed) => change({ note: typed.note }),
    submit: async (): Promise<Complaint | null> => {
      if (reason === null) return { fields: { reason: words.attempt.noReason } };
      if (needsNote && note.trim() === '') return { fields: { note: words.attempt.noNote } };
      // On a full phone the typed text stays.
      if (!(await actions.failAttempt(reason, note.trim() || null))) return {};
      clear();
      return null;
    },
  });
  return (
    <SheetDialog
      name={`attempt ${view.id}`}
      title={words.attempt.title}
      closeLabel={words.attempt.cancel}
      onClose={close}
    >
      <Form
        label={words.attempt.title}
        {...form.props}
        actions={
          <SheetActions>
            <Submit isWide isBusy={form.isBusy || actions.isBusy} words={words.attempt} />
          </SheetActions>
        }
      >
        {faults.map((fault, at) => (
          <RadioGroup
            key={fault}
            legend={words.attempt.faults[fault]}
            name="reason"
            error={at === 0 ? form.errors.reason : undefined}
          >
            {reasonCodes
              .filter((code) => attemptReasons[code].fault === fault)
              .filter((code) => !attemptReasons[code].isOfPickup)
              .map((code) => (
                <RadioChoice
                  key={code}
                  name="reason"
                  label={words.reasons[code]}
                  isChosen={reason === code}
                  onChoose={() => {
                    change({ reason: code });
                    // The complaints belong to the reason chosen before.
                    form.complain({});
                  }}
                />
              ))}
          </RadioGroup>
        ))}
        <TextAreaField
          {...form.field('note')}
          label={words.attempt.note}
          aside={needsNote ? undefined : fields.optional}
        />
      </Form>
    </SheetDialog>
  );
}

/** Asked first: a package on its way back is not delivered any more. */
export function ReturnButton({
  view,
  actor,
  actions,
  tone = 'quiet',
}: StepProps & { tone?: ButtonTone }) {
  const [isAsking, setIsAsking] = useState(false);
  const { title, byCourier, byOthers } = words.returnQuestion;
  return (
    <>
      <Button tone={tone} isBusy={actions.isBusy} onClick={() => setIsAsking(true)}>
        {words.startReturn}
      </Button>
      {isAsking && (
        <QuestionDialog
          title={title}
          text={view.courier?.id === actor.id ? byCourier : byOthers}
          confirmLabel={words.startReturn}
          cancelLabel={words.attempt.cancel}
          confirmTone="primary"
          onConfirm={() => {
            setIsAsking(false);
            actions.record('startReturn')();
          }}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** A courier's optional steps; renders nothing without any, or for other readers. */
export function DeliverySteps(props: StepProps) {
  const { view, actor, actions } = props;
  const { isOpen, open } = useDeliveryDraft(view.id, 'attempt');
  const { beside } = stepsOf(actor, view);
  if (beside.length === 0) return null;
  const deliver = <DeliverButton {...props} tone="quiet" />;
  // Out of turn: the pickup leads.
  if (primaryOf(actor, view) === 'pickUp') {
    return (
      <div className={`${layout.row} ${css.early}`}>
        <p className={layout.soft}>{words.already}</p>
        {deliver}
      </div>
    );
  }
  const button = (label: string, onClick: () => void) => (
    <Button tone="quiet" isBusy={actions.isBusy} onClick={onClick}>
      {label}
    </Button>
  );
  const buttons: Record<BesideStep, ReactNode> = {
    deliver,
    arrive: button(words.arriveAgain, actions.record('arrive')),
    failAttempt: button(words.failAttempt, open),
    addProof: <HandoverButton {...props} step="deliver" tone="quiet" label={proof.addProof} />,
    startReturn: <ReturnButton {...props} />,
  };
  return (
    <div className={layout.choices}>
      {beside.map((step) => (
        <Fragment key={step}>{buttons[step]}</Fragment>
      ))}
      {isOpen && beside.includes('failAttempt') && <AttemptDialog view={view} actions={actions} />}
    </div>
  );
}
