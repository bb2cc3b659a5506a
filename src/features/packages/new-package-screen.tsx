import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useRefused } from '#live/use-refused.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import { CreateWizard } from './create-wizard.tsx';
import { DecidedNotice } from './decided-notice.tsx';
import { sharedParams } from './shared-params.ts';
import { words } from './words.ts';

const SharedNotice = lazy(async () => ({
  default: (await import('./shared-notice.tsx')).SharedNotice,
}));

interface NewPackageScreenProps {
  onCreated(): void;
}

/** `?from=` names the refused creation that is mended here; `?text=` and such were shared by another app. */
export function NewPackageScreen({ onCreated }: NewPackageScreenProps) {
  const [query] = useSearchParams();
  const from = query.get('from');
  return (
    <Screen
      title={words.create.title}
      lead={<BackButton label={words.back} to={from ? '/outbox' : '/'} />}
    >
      {from ? (
        <MendCreation key={from} from={from} onCreated={onCreated} />
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

function MendCreation({ from, onCreated }: NewPackageScreenProps & { from: string }) {
  const refused = useRefused('createPackage', from);
  if (refused === undefined) return <Skeletons label={words.loading} count={1} />;
  if (refused === null) return <DecidedNotice />;
  return <CreateWizard onCreated={onCreated} refused={refused} />;
}
