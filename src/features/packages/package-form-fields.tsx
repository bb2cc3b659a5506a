/** The controls of a package's fields, one way for the wizard and the edit form. */
import { paymentMethods } from '#contract/package.ts';
import type { PackageForm } from '#domain/package-form.ts';
import type { FieldMessages } from '#domain/validation.ts';
import { SelectField, TextAreaField, TextField } from '#ui/field.tsx';
import { isPinName, LocationField, type PinName } from './location-field.tsx';
import { words } from './words.ts';

interface PackageFieldProps {
  name: keyof PackageForm;
  form: PackageForm;
  errors: FieldMessages;
  onChange(form: PackageForm): void;
  isDisabled?: boolean;
  /** Opens the picker of places; undefined: there is none, and no pin to be set. */
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
  priceOffer: { inputMode: 'decimal', autoComplete: 'off' },
};

const hints: Partial<Record<keyof PackageForm, string>> = {
  recipientEmail: words.hints.optional,
  deliveryDate: words.hints.optional,
  notes: words.hints.optional,
  priceOffer: words.hints.price,
  description: words.hints.description,
};

const methodChoices = [
  { value: '', label: words.choose },
  ...paymentMethods.map((method) => ({ value: method, label: words.methods[method] })),
];

export function PackageField({
  name,
  form,
  errors,
  onChange,
  isDisabled = false,
  onPickPlace,
}: PackageFieldProps) {
  if (isPinName(name)) {
    const pin = { name, form, error: errors[name], isDisabled };
    return onPickPlace ? <LocationField {...pin} onPick={onPickPlace} /> : null;
  }
  const props = {
    label: words.fields[name],
    name,
    value: form[name],
    onChange: (value: string) => onChange({ ...form, [name]: value }),
    error: errors[name],
    hint: hints[name],
    disabled: isDisabled,
  };
  if (name === 'paymentMethod') return <SelectField {...props} choices={methodChoices} />;
  if (name === 'description' || name === 'notes') return <TextAreaField {...props} />;
  return <TextField {...props} {...inputs[name]} />;
}
