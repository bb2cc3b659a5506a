import {
  Bell,
  ChevronRight,
  CloudUpload,
  Info,
  LifeBuoy,
  ShieldCheck,
  Tag,
  UserRound,
  UsersRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { canAdministerUsers } from '#domain/policy.ts';
import { displayName } from '#domain/user.ts';
import { useSignedIn } from '#live/services.ts';
import { useActor } from '#live/use-actor.ts';
import { useOutboxCounts } from '#live/use-outbox.ts';
import { useOwnUser } from '#live/use-users.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import menu from '#ui/menu.module.css';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { SignOutButton } from './sign-out-button.tsx';
import { words } from './words.ts';

interface RowProps {
  to: string;
  icon: ReactNode;
  label: string;
  note?: ReactNode;
}

function Row({ to, icon, label, note }: RowProps) {
  return (
    <Link className={menu.row} to={to}>
      {icon}
      <span className={menu.label}>{label}</span>
      <span className={menu.end}>
        {note}
        <ChevronRight aria-hidden size={20} />
      </span>
    </Link>
  );
}

interface AccountScreenProps {
  /** The offer to install the app, where that is possible. */
  install?: ReactNode;
}

export function AccountScreen({ install }: AccountScreenProps) {
  const { userInfo } = useSignedIn();
  const self = useOwnUser();
  const { waiting, attention } = useOutboxCounts();
  const isAdmin = canAdministerUsers(useActor()).isAllowed;
  return (
    <Screen title={words.title}>
      <Card title={words.accountName}>
        <p>{displayName(self ?? userInfo)}</p>
        <p className={layout.soft}>{self?.email ?? userInfo.email}</p>
      </Card>
      <nav className={menu.menu} data-card aria-label={words.menu}>
        <Row to="/personal-info" icon={<UserRound aria-hidden />} label={words.personalInfo} />
        {isAdmin && <Row to="/users-list" icon={<UsersRound aria-hidden />} label={words.users} />}
        <Row to="/security" icon={<ShieldCheck aria-hidden />} label={words.security} />
        {!isAdmin && (
          <Row to="/notifications" icon={<Bell aria-hidden />} label={words.notifications} />
        )}
        <Row
          to="/outbox"
          icon={<CloudUpload aria-hidden />}
          label={words.changes}
          note={
            <span className={menu.notes}>
              {waiting > 0 && <Badge tone="neutral">{words.unsent(waiting)}</Badge>}
              {attention > 0 && <Badge tone="bad">{words.refused(attention)}</Badge>}
            </span>
          }
        />
        <Row to="/promotion" icon={<Tag aria-hidden />} label={words.promotion} />
        <Row to="/support" icon={<LifeBuoy aria-hidden />} label={words.support} />
        <Row to="/about" icon={<Info aria-hidden />} label={words.about} />
      </nav>
      {install}
      <SignOutButton />
    </Screen>
  );
}
