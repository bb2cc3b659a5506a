/** The controls of a package's fields, shared by wizard and edit form. */

import { useAtomValue } from 'jotai';
import { Check, MapPin } from 'lucide-react';
import { Suspense, useState } from 'react';
import { handovers, type PaymentMethod, paymentMethods } from '#contract/package.ts';
import { useLocationPicker } from '#data/location-picker.ts';
import { isAbroad, locationText, mapCentre, typedLocation } from '#domain/location.ts';
import {
  type FieldRow,
  type PackageForm,
  packageFields,
  type Typed,
} from '#domain/package-fields.ts';
import { hasUnread } from '#domain/place-text.ts';
import { recentPins } from '#features/package-form/suggestion-rules.ts';
import { fields } from '#messages/en/fields.ts';
import { handover } from '#messages/en/handover.ts';
import { packages as words } from '#messages/en/packages.ts';
import { places } from '#messages/en/places.ts';
import { wizard } from '#messages/en/wizard.ts';
import { positionAtom } from '#state/position.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox, TextAreaField, TextField } from '#ui/field.tsx';
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
    <fieldset aria-label={label} className={`${layout.row} ${css.pin}`}>
      {pin && (
        <span className={`${layout.row} ${css.place}`}>
          {!isAbroad(pin) && <Check aria-hidden size={20} />}
          {isAbroad(pin) ? places.abroad : words.pin.set}
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

/** Below each payment method: its meaning, and whether the balance covers it. */
export type MethodNotes = Partial<Record<PaymentMethod, string>>;

interface PackageFieldProps {
  name: keyof PackageForm;
  value: Typed;
  onChange(value: Typed): void;
  error: string | undefined;
  isDisabled?: boolean;
  methodNotes?: MethodNotes;
  /** Opens the map; undefined leaves out the pin fields. */
  onPickPlace?: ((name: PinName) => void) | undefined;
}

const inputs: Partial<Record<FieldRow['kind'], object>> = {
  phone: { type: 'tel', inputMode: 'tel', autoComplete: 'off' },
  email: { type: 'email', inputMode: 'email', autoComplete: 'off', autoCapitalize: 'none' },
  date: { type: 'datetime-local', halfTyped: words.hints.halfDate },
  price: { inputMode: 'decimal', autoComplete: 'off', 'data-naira': '' },
};

const hints: Partial<Record<keyof PackageForm, string>> = {
  pickupAddress: words.hints.landmark,
  deliveryAddress: words.hints.landmark,
  priceOffer: words.hints.price,
  description: words.hints.description,
};

/** Radio cards with an explanation below each. */
function ChoiceField<Choice extends string>({
  name,
  value,
  onChange,
  error,
  isDisabled = false,
  choices,
  labels,
  notes,
}: Omit<PackageFieldProps, 'onPickPlace' | 'methodNotes' | 'value'> & {
  value: string;
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
  const { isDisabled = false, onPickPlace, methodNotes = {}, value, ...control } = props;
  const { name, error, onChange } = control;
  if (typeof value === 'boolean') {
    const flag = { name, isDisabled, onChange, isChecked: value };
    return <Checkbox {...flag} label={fields.labels[name]} hint={hints[name]} />;
  }
  const field = { ...control, value };
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
  const { kind, isRequired } = packageFields[name];
  const isPlace = name === 'pickupAddress' || name === 'deliveryAddress' || name === 'notes';
  const typed = {
    ...field,
    label: fields.labels[name],
    aside: isRequired ? undefined : fields.optional,
    hint: isPlace && hasUnread(value) ? words.hints.unread : hints[name],
    disabled: isDisabled,
  };
  return kind === 'text' ? (
    <TextAreaField {...typed} />
  ) : (
    <TextField {...typed} {...inputs[kind]} />
  );
}

interface ReturnNoteProps {
  form: PackageForm;
  feePercent: number | null;
}

/** The courier's share of a held price for a return. */
export function ReturnNote({ form, feePercent }: ReturnNoteProps) {
  if (!feePercent || form.paymentMethod !== 'app') return null;
  return <p className={layout.note}>{wizard.returnFee(feePercent)}</p>;
}
