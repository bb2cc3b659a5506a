/**
 * What the address brings into the wizard's draft: content shared by another app (the manifest's
 * share_target), or an earlier package to send again.
 */
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { usePackageView } from '#data/use-packages.ts';
import { useOwnUser } from '#data/use-users.ts';
import { toLocalInput } from '#domain/dates.ts';
import { type PackageForm, wizardSteps } from '#domain/package-form.ts';
import { readShared, type SharedFields } from '#domain/shared-text.ts';
import { isProfileComplete } from '#domain/user.ts';
import { againForm, againParam } from '#features/packages/again.ts';
import { broughtParams, stepOf, useDraft } from '#features/packages/hooks/use-draft.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { wizard } from '#messages/en/wizard.ts';
import { QuestionDialog } from '#ui/dialog.tsx';
import { showInfo } from '#ui/toast.tsx';

const { again } = wizard;

/** Longer than a plain success toast: there is text to read. */
const toastMs = 4000;

/** Keeps it until the user may create a package. */
export function SharedNotice() {
  const self = useOwnUser();
  const [query, setQuery] = useSearchParams();
  const earlier = usePackageView(query.get(againParam) ?? '');
  if (!self || !isProfileComplete(self) || earlier === undefined) return null;
  // Removed from the address so that a reload does not fill it in again.
  const leave = () => {
    const rest = new URLSearchParams(query);
    for (const name of broughtParams) rest.delete(name);
    setQuery(rest, { replace: true });
  };
  const props = { key: query.toString(), userId: self.id, onDone: leave };
  if (earlier) {
    const number = earlier.packageId || earlier.description;
    const pickupDate = toLocalInput(new Date().toISOString());
    const question = { ...again, replaces: () => again.replaces, adds: () => again.replaces };
    return (
      <Fill
        {...props}
        shared={{ ...againForm(earlier), pickupDate }}
        step={wizardSteps.length - 1}
        words={{ ...question, filled: again.filled(number) }}
      />
    );
  }
  const read = (name: string) => query.get(name) ?? '';
  const shared = readShared({ title: read('title'), text: read('text'), url: read('url') });
  return <Fill {...props} shared={shared} step={stepOf(shared)} words={words.shared} />;
}

interface FillProps {
  userId: string;
  shared: SharedFields;
  /** Where the wizard opens. */
  step: number;
  words: Record<'title' | 'filled' | 'take' | 'keep', string> &
    Record<'adds' | 'replaces', (fields: string) => string>;
  onDone(): void;
}

/** A changed address drops its pin. */
function withoutOldPins(form: PackageForm, shared: SharedFields): SharedFields {
  const isNew = (name: 'pickupAddress' | 'deliveryAddress') =>
    shared[name] !== undefined && shared[name] !== form[name];
  return {
    ...shared,
    ...(isNew('pickupAddress') && form.pickupLocation && { pickupLocation: '' }),
    ...(isNew('deliveryAddress') && form.deliveryLocation && { deliveryLocation: '' }),
  };
}

function Fill({ userId, shared: said, step, words, onDone }: FillProps) {
  const { form, fill } = useDraft(userId);
  const shared = withoutOldPins(form, said);
  // Read at mount, so that filled-in content does not count as typed.
  const [hasContent] = useState(() => Object.values(form).some((typed) => typed.trim() !== ''));
  // Content already in the draft, such as a repeated share, needs no question.
  const names = (Object.keys(shared) as (keyof PackageForm)[]).filter(
    (name) => form[name] !== shared[name],
  );
  const take = () => {
    fill({ ...form, ...shared }, step);
    showInfo(words.filled, { durationMs: toastMs });
    onDone();
  };
  const fillsDirectly = !hasContent && names.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for what came with this address.
  useEffect(() => {
    if (names.length === 0) onDone();
    else if (fillsDirectly) take();
  }, []);
  if (fillsDirectly || names.length === 0) return null;
  const labels = (some: (keyof PackageForm)[]) =>
    some.map((name) => fields.labels[name]).join(', ');
  const replaced = names.filter((name) => form[name].trim() !== '');
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
