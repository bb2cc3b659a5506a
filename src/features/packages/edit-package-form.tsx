import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { paymentStatuses } from '#contract/package.ts';
import type { PackageView } from '#domain/overlay.ts';
import { withChanges } from '#domain/package.ts';
import { parseStatus, statusLabel } from '#domain/status.ts';
import type { FieldMessages, PackageForm } from '#domain/validation.ts';
import { useActor } from '#live/use-actor.ts';
import type { OperationOf } from '#live/use-refused.ts';
import { Button } from '#ui/button.tsx';
import { Form, SelectField } from '#ui/field.tsx';
import layout from '#ui/stack.module.css';
import {
  canSetPayment,
  type EditFormState,
  editableFields,
  editStatuses,
  formOf,
  statusRefusal,
} from './edit-rules.ts';
import { PackageField } from './package-form-fields.tsx';
import { usePackageActions } from './use-package-actions.ts';
import { useSavePackage } from './use-save-package.ts';
import { refusalSentence, words } from './words.ts';

const recipientFields = ['recipientName', 'recipientPhone', 'recipientEmail'] as const;
const packageFields = [
  'description',
  'pickupAddress',
  'pickupDate',
  'deliveryAddress',
  'deliveryDate',
  'notes',
  'priceOffer',
  'paymentMethod',
] as const;

const paymentChoices = paymentStatuses.map((status) => ({
  value: status,
  label: words.payment[status],
}));

interface EditPackageFormProps {
  view: PackageView;
  /** The refused edit that is mended here: its changes stand in the form, with what was wrong. */
  refused: OperationOf<'editPackage'> | null;
}

export function EditPackageForm({ view, refused }: EditPackageFormProps) {
  // What the form began with: only what differs from it is sent, whatever is pulled meanwhile.
  const [before] = useState(view);
  const [state, setState] = useState<EditFormState>({
    form: formOf(refused ? withChanges(view, refused.args.changes) : view),
    status: view.status,
    paymentStatus: view.paymentStatus,
  });
  const [errors, setErrors] = useState<FieldMessages>(refused?.lastError?.fields ?? {});
  const [message, setMessage] = useState(refused?.lastError?.message);
  const navigate = useNavigate();
  const { save, isBusy } = useSavePackage(before, refused?.id ?? null);
  const submit = async () => {
    if (isBusy) return;
    const result = await save(state);
    setErrors(result.kind === 'invalid' ? result.fields : {});
    setMessage(result.kind === 'invalid' ? result.message : undefined);
    if (result.kind !== 'saved') return;
    navigate(refused ? '/outbox' : `/package-detail/${view.id}`, { replace: true });
  };

  const actor = useActor();
  const editable = editableFields(actor, view);
  const setForm = (form: PackageForm) => setState({ ...state, form });
  const field = (name: keyof PackageForm) => (
    <PackageField
      key={name}
      name={name}
      form={state.form}
      errors={errors}
      onChange={setForm}
      isDisabled={!editable.has(name)}
    />
  );

  return (
    <Form
      onSubmit={() => void submit()}
      errors={errors}
      message={message}
      actions={
        <div className={layout.actions}>
          <Button type="submit" isBusy={isBusy}>
            {isBusy ? words.edit.busy : words.edit.save}
          </Button>
          <DeleteButton view={view} />
        </div>
      }
    >
      {editable.size < packageFields.length && <p className={layout.soft}>{words.edit.locked}</p>}
      <h2>{words.edit.recipientPart}</h2>
      {recipientFields.map(field)}
      <h2>{words.edit.packagePart}</h2>
      {packageFields.map(field)}
      <StatusFields view={view} state={state} errors={errors} onChange={setState} />
    </Form>
  );
}

interface StatusFieldsProps {
  view: PackageView;
  state: EditFormState;
  errors: FieldMessages;
  onChange(state: EditFormState): void;
}

function StatusFields({ view, state, errors, onChange }: StatusFieldsProps) {
  const actor = useActor();
  const refusals = editStatuses.map((status) => statusRefusal(actor, view, status));
  const choices = editStatuses.map((status, place) => ({
    value: status,
    label: words.edit.statuses[status],
    isDisabled: refusals[place] !== null,
  }));
  const isCancelled = view.status === 'cancelled';
  const reasons = editStatuses.flatMap((status, place) => {
    const code = refusals[place];
    if (!code) return [];
    const label = words.edit.statuses[status];
    // The catalogue's sentence says 'no longer', which is not true of a state yet to come.
    if (code === 'invalid_state') return [words.edit.notYet(label)];
    return [words.edit.refused(label, refusalSentence(code))];
  });
  return (
    <>
      <SelectField
        label={words.fields.deliveryStatus}
        name="deliveryStatus"
        value={state.status}
        choices={
          isCancelled
            ? [
                { value: 'cancelled', label: statusLabel('cancelled'), isDisabled: true },
                ...choices,
              ]
            : choices
        }
        onChange={(text) => onChange({ ...state, status: parseStatus(text) ?? state.status })}
        error={errors.deliveryStatus}
        hint={reasons.join(' ') || undefined}
      />
      <SelectField
        label={words.fields.paymentStatus}
        name="paymentStatus"
        value={state.paymentStatus}
        choices={paymentChoices}
        onChange={(text) => {
          const status = paymentStatuses.find((each) => each === text);
          if (status) onChange({ ...state, paymentStatus: status });
        }}
        disabled={!canSetPayment(actor, view)}
        error={errors.paymentStatus}
      />
    </>
  );
}

function DeleteButton({ view }: { view: PackageView }) {
  const actor = useActor();
  const { remove, isBusy } = usePackageActions(view, actor);
  if (actor.role === 'Employee') return null;
  return (
    <Button tone="danger" isBusy={isBusy} onClick={remove}>
      {words.detail.delete}
    </Button>
  );
}
