/** Fills the wizard's draft from another app's share (the manifest's share_target). */
import '#contract/phone-countries.ts';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useOwnUser } from '#data/use-users.ts';
import type { PackageForm, Typed } from '#domain/package-fields.ts';
import { readShared, type SharedFields } from '#domain/shared-text.ts';
import { isProfileComplete } from '#domain/user.ts';
import { sharedParams, stepOf, useDraft } from '#features/package-form/hooks/use-draft.ts';
import { fields } from '#messages/en/fields.ts';
import { packages } from '#messages/en/packages.ts';
import { QuestionDialog } from '#ui/dialog.tsx';
import { showInfo } from '#ui/toast.tsx';

const words = packages.shared;

/** Longer than a plain success toast: there is text to read. */
const toastMs = 4000;

/** Keeps it until the user may create a package. */
export function SharedNotice() {
  const self = useOwnUser();
  const [query, setQuery] = useSearchParams();
  if (!self || !isProfileComplete(self)) return null;
  // Removed from the address so that a reload does not fill it in again.
  const leave = () => {
    const rest = new URLSearchParams(query);
    for (const name of sharedParams) rest.delete(name);
    setQuery(rest, { replace: true });
  };
  const read = (name: string) => query.get(name) ?? '';
  const shared = readShared({ title: read('title'), text: read('text'), url: read('url') });
  return <Fill key={query.toString()} userId={self.id} shared={shared} onDone={leave} />;
}

interface FillProps {
  userId: string;
  shared: SharedFields;
  onDone(): void;
}

const isFilled = (typed: Typed) => (typeof typed === 'string' ? typed.trim() !== '' : typed);

/** A changed address drops its pin. */
function withoutOldPins(form: PackageForm, shared: SharedFields): SharedFields {
  const isNew = (name: 'pickupAddress' | 'deliveryAddress') =>
    shared[name] !== undefined && shared[name] !== form[name];
  return {
    ...(isNew('pickupAddress') && form.pickupLocation && { pickupLocation: '' }),
    ...(isNew('deliveryAddress') && form.deliveryLocation && { deliveryLocation: '' }),
    ...shared,
  };
}

function Fill({ userId, shared: said, onDone }: FillProps) {
  const { form, fill } = useDraft(userId);
  const shared = withoutOldPins(form, said);
  // Read at mount, so that filled-in content does not count as typed.
  const [hasContent] = useState(() => Object.values(form).some(isFilled));
  // Content already in the draft, such as a repeated share, needs no question.
  const names = (Object.keys(shared) as (keyof PackageForm)[]).filter(
    (name) => form[name] !== shared[name],
  );
  const take = () => {
    fill({ ...form, ...shared }, stepOf(shared));
    showInfo(words.filled, { durationMs: toastMs });
    onDone();
  };
  const fillsDirectly = !hasContent && names.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for this address's shared text.
  useEffect(() => {
    if (names.length === 0) onDone();
    else if (fillsDirectly) take();
  }, []);
  if (fillsDirectly || names.length === 0) return null;
  const labels = (some: (keyof PackageForm)[]) =>
    some.map((name) => fields.labels[name]).join(', ');
  const replaced = names.filter((name) => isFilled(form[name]));
  return (
    <QuestionDialog
      title={words.title}
      text={replaced.length > 0 ? words.replaces(labels(replaced)) : words.adds(labels(names))}
      confirmLabel={words.take}
      cancelLabel={words.keep}
      onConfirm={take}
      onCancel={onDone}
    />
  );
}
