import { UserCheck, UserX } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { useUser } from '#data/use-users.ts';
import { canAdministerUsers } from '#domain/user-policy.ts';
import { users as words } from '#messages/en/users.ts';
import { BackButton } from '#ui/back-button.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Notice } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';

/** In a chunk cached only on dispatchers' phones; others are refused without loading it. */
const NewUserFields = lazy(async () => ({
  default: (await import('#features/users/components/dispatcher-parts.tsx')).NewUserFields,
}));

export function NewUserScreen() {
  const actor = useActor();
  const [addedId, setAddedId] = useState('');
  const isAllowed = canAdministerUsers(actor).isAllowed;
  return (
    <Screen title={words.create.title} lead={<BackButton label={words.back} to="/users-list" />}>
      {!isAllowed && <Notice icon={<UserX aria-hidden size={40} />} title={words.notAllowed} />}
      {isAllowed && !addedId && (
        <Suspense>
          <NewUserFields onAdded={setAddedId} />
        </Suspense>
      )}
      {isAllowed && addedId && <Added id={addedId} />}
    </Screen>
  );
}

/** Opens the new user's page once the pull has loaded it; until then shows success. */
function Added({ id }: { id: string }) {
  const user = useUser(id);
  if (user) return <Navigate to={`/edit-user/${id}`} replace />;
  return (
    <Notice icon={<UserCheck aria-hidden size={40} />} title={words.create.coming}>
      <Link className={buttonClass('quiet')} to="/users-list" replace>
        {words.create.toList}
      </Link>
    </Notice>
  );
}
