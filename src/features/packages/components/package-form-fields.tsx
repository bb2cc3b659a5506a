/** The controls of a package's fields, shared by wizard and edit form. */

import { useAtomValue } from 'jotai';
import { Check, MapPin } from 'lucide-react';
import { Suspense, useState } from 'react';
import { handovers, type PaymentMethod, paymentMethods } from '#contract/package.ts';
import { useLocationPicker } from '#data/location-picker.ts';
import { locationText, mapCentre, typedLocation } from '#domain/location.ts';
import type { PackageForm } from '#domain/package-form.ts';
import { recentPins } from '#features/packages/suggestions.ts';
import { fields } from '#messages/en/fields.ts';
import { handover } from '#messages/en/handover.ts';
import { packages as words } from '#messages/en/packages.ts';
import { wizard } from '#messages/en/wizard.ts';
import { positionAtom } from '#state/position.ts';
import { Button } from '#ui/button.tsx';
import { TextAreaField, TextField } from '#ui/field.tsx';
import { RadioChoice, RadioGroup } from '#ui/radio-choice.tsx';
import layout from '#ui/stack.module.css';
import css from './location-field.module.css';
import { useSent } from './suggestions.tsx';

type PinName = 'pickupLocation' | 'deliveryLocation';

const isPinName = (name: keyof PackageForm): name is PinName =>
  name === 'pickupLocation' || name === 'deliveryLocation';

interface LocationFieldProps {
  name: PinName;
  value: string;
  error: string | undefined;
  isDisabled: boolean;
  onPick(name: PinName): void;
}

function LocationField({ name, value, error, isDisabled, onPick }: LocationFieldProps) {
  const pin = typedLocation(value);
  const label = fields.labels[name];
  return (
    <fieldset aria-label={label} className={css.pin}>
      {pin && (
        <span className={css.place}>
          <Check aria-hidden size={20} />
          {words.pin.set}
        </span>
      )}
      <Button
        tone="plain"
        disabled={isDisabled}
        aria-label={`${pin ? words.pin.move : words.pin.pick}: ${label}`}
        onClick={() => onPick(name)}
      >
        {!pin && <MapPin aria-hidden size={20} />}
        {pin ? words.pin.move : words.pin.pick}
      </Button>
      {error && (
        <p className={css.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Render the dialog outside the form: it contains one. `pick` is undefined without a picker. */
export function usePinPicking(form: PackageForm, onChange: (form: PackageForm) => void) {
  const Picker = useLocationPicker();
  const [name, setName] = useState<PinName | null>(null);
  const position = useAtomValue(positionAtom);
  const sent = useSent();
  const close = () => setName(null);
  const recent = recentPins(sent);
  const put = (text: string, place = '') => {
    if (!name) return;
    const address = name === 'pickupLocation' ? 'pickupAddress' : 'deliveryAddress';
    // A recent place brings its words where none are typed.
    onChange({ ...form, [name]: text, [address]: form[address] || place });
    close();
  };
  const other = name === 'pickupLocation' ? form.deliveryLocation : form.pickupLocation;
  const dialog = Picker && name && (
    <Suspense>
      <Picker
        label={fields.labels[name]}
        kind={name === 'pickupLocation' ? 'pickup' : 'delivery'}
        value={typedLocation(form[name])}
        near={typedLocation(other) ?? position ?? mapCentre}
        recent={recent}
        onPick={(location, place) => put(locationText(location), place)}
        onClear={() => put('')}
        onClose={close}
      />
    </Suspense>
  );
  return { pick: Picker ? setName : undefined, dialog };
}

/** Below each way to pay: what it means, whether the balance is enough. */
export type MethodNotes = Partial<Record<PaymentMethod, string>>;

interface PackageFieldProps {
  name: keyof PackageForm;
  value: string;
  onChange(value: string): void;
  error: string | undefined;
  isDisabled?: boolean;
  methodNotes?: MethodNotes;
  /** Opens the map; undefined leaves out the pin fields. */
  onPickPlace?: ((name: PinName) => void) | undefined;
}

const inputs: Partial<Record<keyof PackageForm, object>> = {
  recipientPhone: { type: 'tel', inputMode: 'tel', autoComplete: 'off' },
  recipientEmail: {
    type: 'email',
    inputMode: 'email',
    autoComplete: 'off',
    autoCapitalize: 'none',
  },
  pickupDate: { type: 'datetime-local', halfTyped: words.hints.halfDate },
  deliveryDate: { type: 'datetime-local', halfTyped: words.hints.halfDate },
  priceOffer: { inputMode: 'decimal', autoComplete: 'off', 'data-naira': '' },
};

const hints: Partial<Record<keyof PackageForm, string>> = {
  pickupAddress: words.hints.landmark,
  deliveryAddress: words.hints.landmark,
  priceOffer: words.hints.price,
  description: words.hints.description,
};

const optional: ReadonlySet<keyof PackageForm> = new Set([
  'recipientEmail',
  'deliveryDate',
  'notes',
]);

/** Cards to choose one of: below each, what it means. */
function ChoiceField<Choice extends string>({
  name,
  value,
  onChange,
  error,
  isDisabled = false,
  choices,
  labels,
  notes,
}: Omit<PackageFieldProps, 'onPickPlace' | 'methodNotes'> & {
  choices: readonly Choice[];
  labels: Record<Choice, string>;
  notes: Partial<Record<Choice, string>>;
}) {
  return (
    <RadioGroup legend={fields.labels[name]} name={name} error={error} isDisabled={isDisabled}>
      {choices.map((choice) => (
        <RadioChoice
          key={choice}
          name={name}
          label={labels[choice]}
          note={notes[choice]}
          isChosen={value === choice}
          onChoose={() => onChange(choice)}
        />
      ))}
    </RadioGroup>
  );
}

export function PackageField(props: PackageFieldProps) {
  const { isDisabled = false, onPickPlace, methodNotes = {}, ...field } = props;
  const { name, value, error } = field;
  if (isPinName(name)) {
    const pin = { name, value, error, isDisabled };
    return onPickPlace ? <LocationField {...pin} onPick={onPickPlace} /> : null;
  }
  if (name === 'paymentMethod') {
    const methods = { choices: paymentMethods, labels: fields.methods, notes: methodNotes };
    return <ChoiceField {...field} {...methods} isDisabled={isDisabled} />;
  }
  if (name === 'handover') {
    const { choices: labels, notes } = handover;
    return (
      <ChoiceField
        {...field}
        choices={handovers}
        labels={labels}
        notes={notes}
        isDisabled={isDisabled}
      />
    );
  }
  const control = {
    ...field,
    label: fields.labels[name],
    aside: optional.has(name) ? fields.optional : undefined,
    hint: hints[name],
    disabled: isDisabled,
  };
  if (name === 'description' || name === 'notes') return <TextAreaField {...control} />;
  return <TextField {...control} {...inputs[name]} />;
}

interface ReturnNoteProps {
  form: PackageForm;
  feePercent: number | null;
}

/** What bringing it back costs, of a price held in the app. */
export function ReturnNote({ form, feePercent }: ReturnNoteProps) {
  if (!feePercent || form.paymentMethod !== 'app') return null;
  return <p className={layout.note}>{wizard.returnFee(feePercent)}</p>;
}
