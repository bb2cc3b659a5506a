/** The steps of a delivery beside the one at the thumb, for who carries the package. */
import { useState } from 'react';
import { attemptReasons, type ReasonCode, reasonCodes } from '#contract/event.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf, type PackageAction, progressOf } from '#domain/policy.ts';
import { primaryOf } from '#features/packages/detail-rules.ts';
import type { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { deliverySteps as words } from '#messages/en/delivery-steps.ts';
import { fields } from '#messages/en/fields.ts';
import { proof } from '#messages/en/proof.ts';
import { Button } from '#ui/button.tsx';
import { PanelDialog, QuestionDialog } from '#ui/dialog.tsx';
import { Form, SaveOrCancel, SelectField, TextAreaField } from '#ui/field.tsx';
import layout from '#ui/stack.module.css';
import { HandoverButton } from './handover-step.tsx';

interface Props {
  view: PackageView;
  actor: Actor;
  actions: ReturnType<typeof usePackageActions>;
}

/** The reason, and a note where the reason needs one. */
function AttemptDialog({ actions, onClose }: Pick<Props, 'actions'> & { onClose(): void }) {
  const [reason, setReason] = useState<ReasonCode | null>(null);
  const [note, setNote] = useState('');
  const needsNote = reason !== null && attemptReasons[reason].needsNote;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const save = () => {
    if (reason === null) return setErrors({ reason: words.attempt.noReason });
    if (needsNote && note.trim() === '') {
      return setErrors({ note: words.attempt.noNote });
    }
    actions.failAttempt(reason, note.trim() || null);
    onClose();
  };
  return (
    <PanelDialog title={words.attempt.title} onClose={onClose}>
      <Form
        label={words.attempt.title}
        onSubmit={save}
        errors={errors}
        actions={<SaveOrCancel words={words.attempt} isBusy={false} onCancel={onClose} />}
      >
        <SelectField
          label={words.attempt.reason}
          name="reason"
          value={reason ?? ''}
          choices={[
            { value: '', label: words.attempt.choose },
            ...reasonCodes.map((value) => ({ value, label: words.reasons[value] })),
          ]}
          onChange={(value) => {
            setReason(reasonCodes.find((code) => code === value) ?? null);
            // What another reason asked for is not asked for by this one.
            setErrors({});
          }}
          error={errors.reason}
        />
        <TextAreaField
          label={words.attempt.note}
          name="note"
          aside={needsNote ? undefined : fields.optional}
          value={note}
          onChange={setNote}
          error={errors.note}
        />
      </Form>
    </PanelDialog>
  );
}

/** Asked first: a package on its way back is not delivered any more. */
export function ReturnButton({ view, actor, actions }: Props) {
  const [isAsking, setIsAsking] = useState(false);
  const { title, byCourier, byOthers } = words.returnQuestion;
  return (
    <>
      <Button tone="quiet" isBusy={actions.isBusy} onClick={() => setIsAsking(true)}>
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
            actions.startReturn();
          }}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** What else a courier may do now; nothing for others, or if there is nothing. */
export function DeliverySteps(props: Props & { deliver: React.ReactNode }) {
  const { view, actor, actions, deliver } = props;
  const [isFailing, setIsFailing] = useState(false);
  const facts = factsOf(view);
  if (facts.courierId !== actor.id) return null;
  const may = (action: PackageAction) => can(actor, action, facts).isAllowed;
  const isDeliverHere = may('deliver') && primaryOf(actor, view) !== 'deliver';
  // At the door: with a code it is asked for anyway.
  const isProofWelcome =
    view.handover === 'none' && may('deliver') && progressOf(facts) !== 'accepted';
  if (!(isDeliverHere || isProofWelcome || may('failAttempt') || may('startReturn'))) return null;
  return (
    <div className={layout.actions}>
      {isDeliverHere && deliver}
      {may('failAttempt') && (
        <Button tone="quiet" isBusy={actions.isBusy} onClick={() => setIsFailing(true)}>
          {words.failAttempt}
        </Button>
      )}
      {isProofWelcome && (
        <HandoverButton {...props} step="deliver" tone="quiet" label={proof.addProof} />
      )}
      {may('startReturn') && <ReturnButton {...props} />}
      {isFailing && <AttemptDialog actions={actions} onClose={() => setIsFailing(false)} />}
    </div>
  );
}
