import { useParams } from 'react-router-dom';
import { usePackageView } from '#live/use-packages.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import { EditPackageForm } from './edit-package-form.tsx';
import { NoPackage } from './no-package.tsx';
import { words } from './words.ts';

export function EditPackageScreen() {
  const { id = '' } = useParams();
  const view = usePackageView(id);
  return (
    <Screen
      title={words.edit.title}
      lead={<BackButton label={words.back} to={`/package-detail/${id}`} />}
    >
      {view === undefined && <Skeletons label={words.loading} count={3} />}
      {view === null && <NoPackage id={id} />}
      {/* Keyed by the package: what is typed belongs to it and survives every re-render. */}
      {view && <EditPackageForm key={view.id} view={view} />}
    </Screen>
  );
}
