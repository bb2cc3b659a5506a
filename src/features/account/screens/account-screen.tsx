import { useAtom } from 'jotai';
import {
  Bell,
  ChevronRight,
  CloudUpload,
  Info,
  LifeBuoy,
  type LucideIcon,
  PackageOpen,
  ShieldCheck,
  Tag,
  UserRound,
  UsersRound,
  Wallet,
} from 'lucide-react';
import { type ReactNode, useContext } from 'react';
import { Link } from 'react-router-dom';
import type { Role } from '#contract/user.ts';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { useOutboxCounts } from '#data/use-outbox.ts';
import { useOwnUser } from '#data/use-users.ts';
import { displayName } from '#domain/user.ts';
import css from '#features/account/account.module.css';
import { ConfirmEmailCard } from '#features/account/components/confirm-email-card.tsx';
import { PositionCard } from '#features/account/components/position-card.tsx';
import { SignOutButton } from '#features/account/components/sign-out-button.tsx';
import { account as words } from '#messages/en/account.ts';
import { sunModeAtom } from '#state/display.ts';
import { Badge } from '#ui/badge.tsx';
import { Card } from '#ui/card.tsx';
import { Checkbox } from '#ui/field.tsx';
import menu from '#ui/menu.module.css';
import { BesideContext, Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';

type Row = [to: string, Icon: LucideIcon, label: string, hiddenFrom: readonly Role[]];

const personal: Row[] = [
  ['/personal-info', UserRound, words.personalInfo, []],
  // Couriers have no Tracking tab.
  ['/tracking', PackageOpen, words.sent, ['Customer', 'Admin']],
  ['/users-list', UsersRound, words.users, ['Customer', 'Employee']],
  ['/payment', Wallet, words.payment, []],
  ['/security', ShieldCheck, words.security, []],
  ['/notifications', Bell, words.notifications, ['Admin']],
  ['/outbox', CloudUpload, words.changes, []],
];

const company: Row[] = [
  ['/promotion', Tag, words.promotion, []],
  ['/support', LifeBuoy, words.support, []],
  ['/about', Info, words.about, []],
];

function PendingBadges() {
  const { waiting, attention } = useOutboxCounts();
  return (
    <span className={menu.notes}>
      {waiting > 0 && <Badge tone="warn">{words.unsent(waiting)}</Badge>}
      {attention > 0 && <Badge tone="bad">{words.refused(attention)}</Badge>}
    </span>
  );
}

interface MenuProps {
  label: string;
  rows: readonly Row[];
}

function Menu({ label, rows }: MenuProps) {
  const { role } = useActor();
  const open = useContext(BesideContext);
  return (
    <nav className={`${layout.surface} ${menu.menu}`} data-card aria-label={label}>
      {rows
        .filter(([, , , hiddenFrom]) => !hiddenFrom.includes(role))
        .map(([to, Icon, name]) => (
          <Link
            key={to}
            className={`${layout.row} ${menu.row}`}
            to={to}
            aria-current={to === open ? 'page' : undefined}
          >
            <Icon aria-hidden />
            <span className={menu.label}>{name}</span>
            <span className={menu.end}>
              {to === '/outbox' && <PendingBadges />}
              <ChevronRight aria-hidden size={20} />
            </span>
          </Link>
        ))}
    </nav>
  );
}

interface AccountScreenProps {
  install?: ReactNode;
}

export function AccountScreen({ install }: AccountScreenProps) {
  const { userInfo } = useSignedIn();
  const self = useOwnUser();
  const { role } = useActor();
  const name = displayName(self ?? userInfo);
  const email = self?.email ?? userInfo.email;
  const [isSunMode, setSunMode] = useAtom(sunModeAtom);
  return (
    <Screen title={words.title}>
      <div className={`${layout.row} ${css.head}`}>
        <span className={`${layout.tile} ${layout.round} ${layout.accent} ${css.avatar}`}>
          <UserRound aria-hidden />
        </span>
        <div className={`${layout.note} ${css.who}`}>
          <h2>{words.accountName}</h2>
          <p className={css.name} dir="auto">
            {name}
          </p>
          {email !== name && <p>{email}</p>}
        </div>
      </div>
      <Menu label={words.menu} rows={personal} />
      <ConfirmEmailCard userId={userInfo.id} />
      <Card title={words.display}>
        <Checkbox
          label={words.sunMode}
          hint={words.sunModeHint}
          isChecked={isSunMode}
          onChange={setSunMode}
        />
      </Card>
      {role === 'Employee' && <PositionCard />}
      {install}
      <Menu label={words.companyMenu} rows={company} />
      <SignOutButton />
    </Screen>
  );
}
