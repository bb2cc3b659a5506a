import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useRefused } from '#data/use-outbox.ts';
import { CreateWizard } from '#features/packages/components/create-wizard.tsx';
import { DecidedNotice } from '#features/packages/components/notices.tsx';
import { sharedParams } from '#features/packages/hooks/use-draft.ts';
import { packages as words } from '#messages/en/packages.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';

const SharedNotice = lazy(async () => ({
  default: (await import('#features/packages/components/shared-notice.tsx')).SharedNotice,
}));

interface NewPackageScreenProps {
  onCreated(): void;
}

/** `?from=`: the refused creation to correct; `?text=` and the like: shared by another app. */
export function NewPackageScreen({ onCreated }: NewPackageScreenProps) {
  const [query] = useSearchParams();
  const from = query.get('from');
  return (
    <Screen
      title={words.create.title}
      lead={<BackButton label={words.back} to={from ? '/outbox' : '/'} />}
    >
      {from ? (
        <CorrectCreation key={from} from={from} onCreated={onCreated} />
      ) : (
        <>
          {sharedParams.some((name) => query.has(name)) && (
            <Suspense>
              <SharedNotice />
            </Suspense>
          )}
          <CreateWizard onCreated={onCreated} />
        </>
      )}
    </Screen>
  );
}

function CorrectCreation({ from, onCreated }: NewPackageScreenProps & { from: string }) {
  const refused = useRefused('createPackage', from);
  if (refused === undefined) return <Skeletons label={words.loading} count={1} />;
  if (refused === null) return <DecidedNotice />;
  return <CreateWizard onCreated={onCreated} refused={refused} />;
}
