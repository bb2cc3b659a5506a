/** A pin next to an address: set, moved and removed in the location picker. */
import { useAtomValue } from 'jotai';
import { MapPin } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useLocationPicker } from '#data/location-picker.ts';
import { locationText, mapCentre, shortLocation, typedLocation } from '#domain/location.ts';
import type { PackageForm } from '#domain/package-form.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { positionAtom } from '#state/position.ts';
import { Button } from '#ui/button.tsx';
import css from './location-field.module.css';

export type PinName = 'pickupLocation' | 'deliveryLocation';

export const isPinName = (name: keyof PackageForm): name is PinName =>
  name === 'pickupLocation' || name === 'deliveryLocation';

interface LocationFieldProps {
  name: PinName;
  value: string;
  error: string | undefined;
  isDisabled: boolean;
  onPick(name: PinName): void;
}

export function LocationField({ name, value, error, isDisabled, onPick }: LocationFieldProps) {
  const pin = typedLocation(value);
  const label = fields.labels[name];
  return (
    <fieldset aria-label={label} className={css.pin}>
      {pin && (
        <span className={css.place}>
          <MapPin aria-hidden size={20} />
          {shortLocation(pin)}
        </span>
      )}
      <Button
        tone={pin ? 'plain' : 'quiet'}
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
  const close = () => setName(null);
  const put = (text: string) => {
    if (name) onChange({ ...form, [name]: text });
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
        onPick={(location) => put(locationText(location))}
        onClear={() => put('')}
        onClose={close}
      />
    </Suspense>
  );
  return { pick: Picker ? setName : undefined, dialog };
}
