/** The steps of a delivery beside the one at the thumb, for who carries the package. */
import { Fragment, type ReactNode, useState } from 'react';
import { attemptReasons, faults, reasonCodes } from '#contract/event.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Actor } from '#domain/policy.ts';
import { type BesideStep, primaryOf, stepsOf } from '#features/packages/detail-rules.ts';
import { useDeliveryDraft } from '#features/packages/hooks/use-delivery-draft.ts';
import type { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { reasonOf } from '#features/packages/timeline-rules.ts';
import { deliverySteps as words } from '#messages/en/delivery-steps.ts';
import { fields } from '#messages/en/fields.ts';
import { proof } from '#messages/en/proof.ts';
import { Button, type ButtonTone } from '#ui/button.tsx';
import { QuestionDialog, SheetActions, SheetDialog } from '#ui/dialog.tsx';
import { Form, Submit, TextAreaField } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import css from './detail.module.css';
import { HandoverButton } from './handover-step.tsx';

interface Props {
  view: PackageView;
  actor: Actor;
  actions: ReturnType<typeof usePackageActions>;
}

/** The reason, and a note where the reason needs one. */
function AttemptDialog({ view, actions }: Pick<Props, 'view' | 'actions'>) {
  const { draft, change } = useDeliveryDraft(view.id);
  const { note } = draft;
  const reason = reasonOf(draft.reason);
  const needsNote = reason !== null && attemptReasons[reason].needsNote;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const save = async () => {
    if (reason === null) return setErrors({ reason: words.attempt.noReason });
    if (needsNote && note.trim() === '') {
      return setErrors({ note: words.attempt.noNote });
    }
    // What was typed stays where the phone has no room for it.
    if (await actions.failAttempt(reason, note.trim() || null)) {
      change({ isOpen: '', reason: '', note: '' });
    }
  };
  return (
    <SheetDialog
      name={`attempt ${view.id}`}
      title={words.attempt.title}
      closeLabel={words.attempt.cancel}
      onClose={() => change({ isOpen: '' })}
    >
      <Form
        label={words.attempt.title}
        onSubmit={() => void save()}
        errors={errors}
        actions={
          <SheetActions>
            <Submit isWide isBusy={actions.isBusy} words={words.attempt} />
          </SheetActions>
        }
      >
        {faults.map((fault, at) => (
          <RadioGroup
            key={fault}
            legend={words.attempt.faults[fault]}
            name="reason"
            error={at === 0 ? errors.reason : undefined}
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
                    // What another reason asked for is not asked for by this one.
                    setErrors({});
                  }}
                />
              ))}
          </RadioGroup>
        ))}
        <TextAreaField
          label={words.attempt.note}
          name="note"
          aside={needsNote ? undefined : fields.optional}
          value={note}
          onChange={(text) => change({ note: text })}
          error={errors.note}
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
}: Props & { tone?: ButtonTone }) {
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

/** What else a courier may do now; nothing for others, or if there is nothing. */
export function DeliverySteps(props: Props & { deliver: ReactNode }) {
  const { view, actor, actions, deliver } = props;
  const { draft, change } = useDeliveryDraft(view.id);
  const { beside } = stepsOf(actor, view);
  if (beside.length === 0) return null;
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
    failAttempt: button(words.failAttempt, () => change({ isOpen: 'attempt' })),
    addProof: <HandoverButton {...props} step="deliver" tone="quiet" label={proof.addProof} />,
    startReturn: <ReturnButton {...props} />,
  };
  return (
    <div className={layout.choices}>
      {beside.map((step) => (
        <Fragment key={step}>{buttons[step]}</Fragment>
      ))}
      {draft.isOpen === 'attempt' && beside.includes('failAttempt') && (
        <AttemptDialog view={view} actions={actions} />
      )}
    </div>
  );
}
