import { useParams, useSearchParams } from 'react-router-dom';
import type { PackageView } from '#domain/overlay.ts';
import { usePackageView } from '#live/use-packages.ts';
import { useRefused } from '#live/use-refused.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import { DecidedNotice } from './decided-notice.tsx';
import { EditPackageForm } from './edit-package-form.tsx';
import { NoPackage } from './no-package.tsx';
import { words } from './words.ts';

export function EditPackageScreen() {
  const { id = '' } = useParams();
  const [query] = useSearchParams();
  const from = query.get('from');
  const view = usePackageView(id);
  return (
    <Screen
      title={words.edit.title}
      lead={<BackButton label={words.back} to={from ? '/outbox' : `/package-detail/${id}`} />}
    >
      {view === undefined && <Skeletons label={words.loading} count={3} />}
      {view === null && <NoPackage id={id} />}
      {/* Keyed by the package: what is typed belongs to it and survives every re-render. */}
      {view && !from && <EditPackageForm key={view.id} view={view} refused={null} />}
      {view && from && <MendPackage key={from} from={from} view={view} />}
    </Screen>
  );
}

/** A refused edit laid over the server's row. */
function MendPackage({ from, view }: { from: string; view: PackageView }) {
  const refused = useRefused('editPackage', from);
  if (refused === undefined) return <Skeletons label={words.loading} count={3} />;
  if (refused) return <EditPackageForm view={view} refused={refused} />;
  return <DecidedNotice />;
}
