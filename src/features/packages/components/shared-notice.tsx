/** What another app has shared (the manifest's share_target), put into the wizard's draft. */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useOwnUser } from '#data/use-users.ts';
import type { PackageForm } from '#domain/package-form.ts';
import { readShared, type SharedFields } from '#domain/shared-text.ts';
import { isProfileComplete } from '#domain/user.ts';
import { sharedParams, stepOf, useDraft } from '#features/packages/hooks/use-draft.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { QuestionDialog } from '#ui/dialog.tsx';
import { showInfo } from '#ui/toast.tsx';

/** Something to read in it takes longer than a tick. */
const filledMs = 4000;

/** Waits until the user may create a package, so that nothing shared is lost before. */
export function SharedNotice() {
  const self = useOwnUser();
  const [query, setQuery] = useSearchParams();
  if (!self || !isProfileComplete(self)) return null;
  const read = (name: string) => query.get(name) ?? '';
  const shared = readShared({ title: read('title'), text: read('text'), url: read('url') });
  // Out of the address: a reload must not put it in once more.
  const leave = () => {
    const rest = new URLSearchParams(query);
    for (const name of sharedParams) rest.delete(name);
    setQuery(rest, { replace: true });
  };
  return <Fill key={query.toString()} userId={self.id} shared={shared} onDone={leave} />;
}

interface FillProps {
  userId: string;
  shared: SharedFields;
  onDone(): void;
}

/** A pin goes with the address that it belonged to. */
function withoutOldPins(form: PackageForm, shared: SharedFields): SharedFields {
  const isNew = (name: 'pickupAddress' | 'deliveryAddress') =>
    shared[name] !== undefined && shared[name] !== form[name];
  return {
    ...shared,
    ...(isNew('pickupAddress') && form.pickupLocation && { pickupLocation: '' }),
    ...(isNew('deliveryAddress') && form.deliveryLocation && { deliveryLocation: '' }),
  };
}

function Fill({ userId, shared: said, onDone }: FillProps) {
  const { form, fill } = useDraft(userId);
  const shared = withoutOldPins(form, said);
  // Of the moment in which it came, so that what it fills in itself is not taken for typed.
  const [isBegun] = useState(() => Object.values(form).some((typed) => typed.trim() !== ''));
  // The same thing may be shared twice: what the draft has already needs no question.
  const names = (Object.keys(shared) as (keyof PackageForm)[]).filter(
    (name) => form[name] !== shared[name],
  );
  const take = () => {
    fill({ ...form, ...shared }, stepOf(shared));
    showInfo(words.shared.filled, { durationMs: filledMs });
    onDone();
  };
  const isWelcome = !isBegun && names.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what came with this address.
  useEffect(() => {
    if (names.length === 0) onDone();
    else if (isWelcome) take();
  }, []);
  if (isWelcome || names.length === 0) return null;
  const labels = (some: (keyof PackageForm)[]) =>
    some.map((name) => fields.labels[name]).join(', ');
  const replaced = names.filter((name) => form[name].trim() !== '');
  return (
    <QuestionDialog
      title={words.shared.title}
      text={
        replaced.length > 0
          ? words.shared.replaces(labels(replaced))
          : words.shared.adds(labels(names))
      }
      confirmLabel={words.shared.take}
      cancelLabel={words.shared.keep}
      onConfirm={take}
      onCancel={onDone}
    />
  );
}
