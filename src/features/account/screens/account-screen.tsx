import {
  Bell,
  ChevronRight,
  CloudUpload,
  Info,
  LifeBuoy,
  PackageOpen,
  ShieldCheck,
  Tag,
  UserRound,
  UsersRound,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { useOutboxCounts } from '#data/use-outbox.ts';
import { useOwnUser } from '#data/use-users.ts';
import { canAdministerUsers } from '#domain/policy.ts';
import { displayName } from '#domain/user.ts';
import { SignOutButton } from '#features/account/components/sign-out-button.tsx';
import { account as words } from '#messages/en/account.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import menu from '#ui/menu.module.css';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';

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
  install?: ReactNode;
}

export function AccountScreen({ install }: AccountScreenProps) {
  const { userInfo } = useSignedIn();
  const self = useOwnUser();
  const { waiting, attention } = useOutboxCounts();
  const actor = useActor();
  const isAdmin = canAdministerUsers(actor).isAllowed;
  return (
    <Screen title={words.title}>
      <Card title={words.accountName}>
        <p>{displayName(self ?? userInfo)}</p>
        <p className={layout.soft}>{self?.email ?? userInfo.email}</p>
      </Card>
      <nav className={menu.menu} data-card aria-label={words.menu}>
        <Row to="/personal-info" icon={<UserRound aria-hidden />} label={words.personalInfo} />
        {/* Couriers have no Tracking tab. */}
        {actor.role === 'Employee' && (
          <Row to="/tracking" icon={<PackageOpen aria-hidden />} label={words.sent} />
        )}
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
