import type { UserView } from '#domain/overlay.ts';
import { displayName, type User } from '#domain/user.ts';
import { useSignedIn } from '#live/services.ts';
import { useMirroredUser } from '#live/use-users.ts';
import { Avatar } from '#ui/avatar.tsx';
import { AccountCard } from './account-card.tsx';
import { BalanceCard } from './balance-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { RoleCard } from './role-card.tsx';
import { UserBadges } from './user-card.tsx';
import css from './users.module.css';

/**
 * What an admin does about somebody. About themselves only what their own profile and security
 * screens do not do.
 */
export function Administration({ user }: { user: UserView }) {
  const { userInfo } = useSignedIn();
  // The server's word: what the admin has queued of their own profile is none of these cards'.
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
