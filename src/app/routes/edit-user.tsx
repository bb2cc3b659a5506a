/** Editing somebody: features put together, which must not know each other. */
import { lazy, Suspense } from 'react';
import { EditUserScreen } from '#features/account/screens/edit-user-screen.tsx';

const Administration = lazy(async () => ({
  default: (await import('./dispatcher-screens.tsx')).Administration,
}));

export function EditUser() {
  return (
    <EditUserScreen
      administration={(user) => (
        <Suspense>
          <Administration key={user.id} user={user} />
        </Suspense>
      )}
    />
  );
}
