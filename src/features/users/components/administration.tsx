import { useSignedIn } from '#data/services.ts';
import { useMirroredUser } from '#data/use-users.ts';
import type { UserView } from '#domain/overlay.ts';
import { displayName, type User } from '#domain/user.ts';
import css from '#features/users/users.module.css';
import { Avatar } from '#ui/avatar.tsx';
import { AccountCard } from './account-card.tsx';
import { BalanceCard } from './balance-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { RoleCard } from './role-card.tsx';
import { UserBadges } from './user-card.tsx';

/** What an admin does about a user; about themselves, only what their own screens do not do. */
export function Administration({ user }: { user: UserView }) {
  const { userInfo } = useSignedIn();
  // As the server has it: the admin's own queued edit is none of these cards' business.
  const row = useMirroredUser(user.id) ?? user;
  const isSelf = user.id === userInfo.id;
  return (
    <>
      {!isSelf && <Head user={row} />}
      {!isSelf && <ProfileCard user={row} />}
      <RoleCard user={row} isSelf={isSelf} />
      <BalanceCard user={row} />
      {!isSelf && <PasswordCard user={row} />}
      <AccountCard user={row} isSelf={isSelf} />
    </>
  );
}

function Head({ user }: { user: User }) {
  const name = displayName(user);
  return (
    <div className={css.head}>
      <Avatar name={name} />
      <div>
        <h2 className={css.name}>{name}</h2>
        <UserBadges user={user} isSelf={false} />
      </div>
    </div>
  );
}
