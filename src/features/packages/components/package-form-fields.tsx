/** The controls of a package's fields, shared by wizard and edit form. */
import { paymentMethods } from '#contract/package.ts';
import type { PackageForm } from '#domain/package-form.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { SelectField, TextAreaField, TextField } from '#ui/field.tsx';
import { isPinName, LocationField, type PinName } from './location-field.tsx';

interface PackageFieldProps {
  name: keyof PackageForm;
  value: string;
  onChange(value: string): void;
  error: string | undefined;
  isDisabled?: boolean;
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
  ...paymentMethods.map((method) => ({ value: method, label: fields.methods[method] })),
];

export function PackageField({ isDisabled = false, onPickPlace, ...field }: PackageFieldProps) {
  const { name, value, error } = field;
  if (isPinName(name)) {
    const pin = { name, value, error, isDisabled };
    return onPickPlace ? <LocationField {...pin} onPick={onPickPlace} /> : null;
  }
  const props = { ...field, label: fields.labels[name], hint: hints[name], disabled: isDisabled };
  if (name === 'paymentMethod') return <SelectField {...props} choices={methodChoices} />;
  if (name === 'description' || name === 'notes') return <TextAreaField {...props} />;
  return <TextField {...props} {...inputs[name]} />;
}
