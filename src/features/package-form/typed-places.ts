import type { PackageForm } from '#domain/package-fields.ts';
import { withPlaces } from '#domain/place-text.ts';
import { packages as words } from '#messages/en/packages.ts';
import { showInfo } from '#ui/toast.tsx';

/** The form after a change of it, with the places of its addresses; says if a pin is lost. */
export function withTypedPlaces(before: PackageForm, after: PackageForm): PackageForm {
  const form = withPlaces(before, after);
  const isLost = (['pickupLocation', 'deliveryLocation'] as const).some(
    (pin) => after[pin] && !form[pin],
  );
  if (isLost) showInfo(words.pin.lost, { subject: 'pin' });
  return form;
}
