import { BackButton } from '#ui/back-button.tsx';
import { Screen } from '#ui/screen.tsx';
import { CreateWizard } from './create-wizard.tsx';
import { words } from './words.ts';

export function NewPackageScreen({ onCreated }: { onCreated(): void }) {
  return (
    <Screen title={words.create.title} lead={<BackButton label={words.back} to="/" />}>
      <CreateWizard onCreated={onCreated} />
    </Screen>
  );
}
