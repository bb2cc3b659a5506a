import { Fragment, useMemo } from 'react';
import { useNavigate } from 'react-router-dom';
import { refusalMessage } from '#contract/errors.ts';
import { paymentStatuses } from '#contract/package.ts';
import { useDeskParts } from '#data/desk-parts.ts';
import { useActor } from '#data/use-actor.ts';
import { useTerms } from '#data/use-terms.ts';
import type { OperationOf } from '#domain/operation.ts';
import type { PackageView } from '#domain/overlay.ts';
import { fieldNames, fieldsWhere, type PackageForm } from '#domain/package-fields.ts';
import { parseStatus, statusLabel } from '#domain/status.ts';
import {
  canSetPayment,
  editableFields,
  editStatuses,
  statusRefusal,
} from '#features/package-form/edit-rules.ts';
import { useEditDraft, useSavePackage } from '#features/package-form/hooks/use-save-package.ts';
import { withTypedPlaces } from '#features/package-form/typed-places.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { DeleteButton } from '#package-ui/delete-button.tsx';
import { usePackageActions } from '#package-ui/use-package-actions.ts';
import type { EditFormState } from '#state/package-drafts.ts';
import { Button } from '#ui/button.tsx';
import { Form, SelectField, Submit } from '#ui/field.tsx';
import { ActionBar } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { useForm } from '#ui/use-form.ts';
import css from './edit-package-form.module.css';
import { PackageField, ReturnNote, usePinPicking } from './package-form-fields.tsx';

const recipientFields = fieldsWhere(({ step }) => step === 1);
/** Place and time of each stop, side by side if they fit. */
const stops = [
  ['pickupAddress', 'pickupLocation', 'pickupDate'],
  ['deliveryAddress', 'deliveryLocation', 'deliveryDate'],
] as const;
/** With the description first, as the parcel's name. */
const otherFields = fieldsWhere(({ step, kind }) => step > 1 && kind !== 'date').filter(
  (name) => name !== 'description',
);

const paymentChoices = paymentStatuses.map((status) => ({
  value: status,
  label: words.payment[status],
}));

interface EditPackageFormProps {
  view: PackageView;
  /** The refused edit being corrected: the form opens with its changes and errors. */
  refused: OperationOf<'editPackage'> | null;
  draftKey: string;
  onStartOver(): void;
  /** It is being deleted, and shown until the server has answered. */
  onRemoving(isRemoving: boolean): void;
}

export function EditPackageForm(props: EditPackageFormProps) {
  const { view, refused, draftKey } = props;
  const { before, state, setState, isRestored, clear } = useEditDraft(draftKey, view, refused);
  const navigate = useNavigate();
  const save = useSavePackage(before, refused?.id ?? null);
  const setForm = (values: PackageForm) => setState({ ...state, form: values });
  const form = useForm({
    values: state.form,
    onChange: (next) => setForm(withTypedPlaces(state.form, next)),
    complaint: refused?.lastError ?? {},
    submit: async () => {
      const complaint = await save(state);
      if (complaint) return complaint;
      clear();
      navigate(refused ? '/outbox' : `/package-detail/${view.id}`, { replace: true });
      return null;
    },
  });
  const actor = useActor();
  const { returnFeePercent } = useTerms();
  const editable = editableFields(actor, view);
  const FormSummary = useDeskParts()?.FormSummary;
  const pins = usePinPicking(state.form, setForm);
  const { errors, message } = form.props;
  // One element for as long as it says the same: the form moves the focus when it changes.
  const complaint = useMemo(
    () => <Complaints names={Object.keys(errors)} message={message} />,
    [errors, message],
  );
  const field = (name: keyof PackageForm) => (
    <PackageField
      key={name}
      {...form.field(name)}
      isDisabled={!editable.has(name)}
      onPickPlace={pins.pick}
    />
  );

  return (
    <>
      <Form
        {...form.props}
        message={message && complaint}
        actions={
          <>
            <Remove
              view={view}
              onWaiting={props.onRemoving}
              onFailed={() => form.complain({ message: words.edit.deleteFailure })}
            />
            <ActionBar>
              <Submit words={words.edit} isBusy={form.isBusy} />
            </ActionBar>
          </>
        }
      >
        <p className={layout.soft}>{view.packageId || words.noNumber}</p>
        {isRestored && (
          <div className={layout.stack} role="status">
            <p className={layout.soft}>{words.edit.restored}</p>
            <Button
              tone="quiet"
              onClick={() => {
                clear();
                props.onStartOver();
              }}
            >
              {words.edit.startOver}
            </Button>
          </div>
        )}
        {editable.size < fieldNames.length && (
          <p className={layout.soft}>
            {actor.role === 'Employee' ? words.edit.notCouriers : words.edit.locked}
          </p>
        )}
        <h2>{words.edit.recipientPart}</h2>
        {recipientFields.map(field)}
        <h2>{words.edit.packagePart}</h2>
        {field('description')}
        {stops.map(([address, pin, date]) => (
          <Fragment key={address}>
            <div className={layout.stack} data-half>
              {field(address)}
              {field(pin)}
            </div>
            {field(date)}
          </Fragment>
        ))}
        {otherFields.map(field)}
        <ReturnNote form={state.form} feePercent={returnFeePercent} />
        <StatusFields view={view} state={state} errors={form.errors} onChange={setState} />
      </Form>
      {pins.dialog}
      {FormSummary && <FormSummary form={state.form} />}
    </>
  );
}

interface ComplaintsProps {
  names: readonly string[];
  message: string | undefined;
}

/** The form is long: each field may be out of sight. */
function Complaints({ names, message }: ComplaintsProps) {
  return (
    <span>
      {message}
      <span className={`${layout.row} ${css.wrong}`}>
        {names.map((name) => (
          <Button
            key={name}
            tone="plain"
            onClick={({ currentTarget }) => {
              currentTarget.form?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
            }}
          >
            {fields.labels[name as keyof typeof fields.labels] ?? name}
          </Button>
        ))}
      </span>
    </span>
  );
}

interface StatusFieldsProps {
  view: PackageView;
  state: EditFormState;
  errors: Readonly<Record<string, string>>;
  onChange(state: EditFormState): void;
}

function StatusFields({ view, state, errors, onChange }: StatusFieldsProps) {
  const actor = useActor();
  const choices = editStatuses.map((value) => {
    const refusal = statusRefusal(actor, view, value);
    return { value, label: statusLabel(value), refusal, isDisabled: refusal !== null };
  });
  const cancelled = { value: 'cancelled', label: statusLabel('cancelled'), isDisabled: true };
  const reasons = choices.flatMap(({ label, refusal }) => {
    if (!refusal) return [];
    // The catalogue's message says 'no longer', wrong for a later status.
    if (refusal === 'invalid_state') return [words.edit.notYet(label)];
    return [words.edit.refused(label, refusalMessage(refusal))];
  });
  return (
    <>
      <SelectField
        label={fields.labels.deliveryStatus}
        name="deliveryStatus"
        value={state.status}
        choices={view.status === 'cancelled' ? [cancelled, ...choices] : choices}
        onChange={(text) => onChange({ ...state, status: parseStatus(text) ?? state.status })}
        error={errors.deliveryStatus}
        hint={reasons.join(' ') || undefined}
      />
      <SelectField
        label={fields.labels.paymentStatus}
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

interface RemoveProps {
  view: PackageView;
  onWaiting(isWaiting: boolean): void;
  onFailed(): void;
}

function Remove({ view, ...screen }: RemoveProps) {
  const actor = useActor();
  const { remove, isBusy } = usePackageActions(view, actor);
  if (actor.role === 'Employee') return null;
  return (
    <div className={layout.apart}>
      <DeleteButton view={view} actor={actor} isBusy={isBusy} onPress={() => remove(screen)} />
    </div>
  );
}
