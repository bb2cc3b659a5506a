import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useRefused } from '#data/use-outbox.ts';
import { CreateWizard } from '#features/packages/components/create-wizard.tsx';
import { DecidedNotice } from '#features/packages/components/notices.tsx';
import { broughtParams } from '#features/packages/hooks/use-draft.ts';
import { packages as words } from '#messages/en/packages.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';

const SharedNotice = lazy(async () => ({
  default: (await import('#features/packages/components/shared-notice.tsx')).SharedNotice,
}));

/** `?from=`: the refused creation to correct; `?text=` and the like: shared by another app; `?again=`: an
 * earlier package to send again. */
export function NewPackageScreen({ onCreated }: { onCreated(): void }) {
  const [query] = useSearchParams();
  const from = query.get('from');
  return (
    <Screen
      title={words.create.title}
      lead={<BackButton label={words.back} to={from ? '/outbox' : '/'} />}
    >
      {!from && broughtParams.some((name) => query.has(name)) && (
        <Suspense>
          <SharedNotice />
        </Suspense>
      )}
      <Create key={from} from={from} onCreated={onCreated} />
    </Screen>
  );
}

function Create({ from, onCreated }: { from: string | null; onCreated(): void }) {
  const refused = useRefused('createPackage', from);
  if (refused === undefined) return <Skeletons label={words.loading} count={1} />;
  if (from && !refused) return <DecidedNotice />;
  return <CreateWizard onCreated={onCreated} refused={refused ?? undefined} />;
}
