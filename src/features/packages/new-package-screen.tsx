import { Screen } from '#ui/screen.tsx';
import { BackButton } from './back-button.tsx';
import { CreateWizard } from './create-wizard.tsx';
import { words } from './words.ts';

export function NewPackageScreen({ onCreated }: { onCreated(): void }) {
  return (
    <Screen title={words.create.title} lead={<BackButton />}>
      <CreateWizard onCreated={onCreated} />
    </Screen>
  );
}
