import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useRefused } from '#data/use-outbox.ts';
import { usePackageView } from '#data/use-packages.ts';
import { CreateWizard } from '#features/package-form/components/create-wizard.tsx';
import { sharedParams } from '#features/package-form/hooks/use-draft.ts';
import { packages as words } from '#messages/en/packages.ts';
import { DecidedNotice } from '#package-ui/notices.tsx';
import { againParam } from '#package-ui/wizard-path.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';

const SharedNotice = lazy(async () => ({
  default: (await import('#features/package-form/components/shared-notice.tsx')).SharedNotice,
}));

/** `?from=`: the refused creation to correct; `?text=` and the like: shared by another app; `?again=`: an
 * earlier package to send again. */
export function NewPackageScreen({ onCreated }: Pick<CreateProps, 'onCreated'>) {
  const [query] = useSearchParams();
  const from = query.get('from');
  const againId = query.get(againParam);
  return (
    <Screen
      title={words.create.title}
      lead={<BackButton label={words.back} to={from ? '/outbox' : '/'} />}
    >
      {!from && sharedParams.some((name) => query.has(name)) && (
        <Suspense>
          <SharedNotice />
        </Suspense>
      )}
      <Create key={from ?? againId} from={from} againId={againId} onCreated={onCreated} />
    </Screen>
  );
}

interface CreateProps {
  from: string | null;
  againId: string | null;
  onCreated(packageId: string): void;
}

function Create({ from, againId, onCreated }: CreateProps) {
  const earlier = usePackageView(againId ?? '');
  const refused = useRefused('createPackage', from);
  if (refused === undefined || (againId && earlier === undefined))
    return <Skeletons label={words.loading} count={1} />;
  if (from && !refused) return <DecidedNotice />;
  return (
    <CreateWizard
      // A first pull may bring it later.
      key={earlier?.id}
      onCreated={onCreated}
      refused={refused ?? undefined}
      earlier={earlier ?? undefined}
    />
  );
}
