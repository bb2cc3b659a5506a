import { Mail, Phone, Wallet } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'react-router-dom';
import { callLink } from '#domain/contact-links.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import { type Actor, canEditUser } from '#domain/policy.ts';
import { roleOf, type User } from '#domain/user.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Badge, type BadgeTone } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import css from './users.module.css';
import { words } from './words.ts';

const roleTones = { Customer: 'neutral', Employee: 'warn', Admin: 'good' } satisfies Record<
  string,
  BadgeTone
>;

/** Role and state; nothing of those whose account is not the reader's to see. */
export function UserBadges({ user, isSelf }: { user: User; isSelf: boolean }) {
  if (user.roles.length === 0) return null;
  const role = roleOf(user.roles);
  return (
    <div className={layout.row}>
      <Badge tone={roleTones[role]}>{words.roles[role]}</Badge>
      <Badge tone={user.isActive ? 'good' : 'bad'}>
        {user.isActive ? words.states.active : words.states.deactivated}
      </Badge>
      {isSelf && <Badge tone="neutral">{words.you}</Badge>}
    </div>
  );
}

function PhoneNumber({ phone, name }: { phone: string | null; name: string }) {
  const link = phone === null ? null : callLink(phone);
  if (!phone || link === null) return <span className={layout.soft}>{phone || words.noPhone}</span>;
  return (
    <a className={css.call} href={link} aria-label={`${phone}, ${words.call(name)}`}>
      {phone}
    </a>
  );
}

interface UserCardProps {
  user: User;
  name: string;
  actor: Actor;
}

/** Somebody in the list: SPEC.md section 2, 'Users list'. */
export const UserCard = memo(function UserCard({ user, name, actor }: UserCardProps) {
  return (
    <Card
      as="article"
      title={
        <span className={css.who}>
          <Avatar name={name} />
          <span className={layout.twoLines}>{name}</span>
        </span>
      }
      aside={
        canEditUser(actor, user.id).isAllowed && (
          <Link
            className={buttonClass('plain')}
            to={`/edit-user/${user.id}`}
            aria-label={words.editPerson(name)}
          >
            {words.edit}
          </Link>
        )
      }
    >
      <UserBadges user={user} isSelf={user.id === actor.id} />
      <ul className={css.contacts}>
        <li className={css.contact}>
          <Phone aria-hidden size={18} />
          <PhoneNumber phone={user.phoneNumber} name={name} />
        </li>
        {user.email && (
          <li className={css.contact}>
            <Mail aria-hidden size={18} />
            <span>{user.email}</span>
          </li>
        )}
        {user.balance !== null && (
          <li className={css.contact}>
            <Wallet aria-hidden size={18} />
            <span>{words.available(formatNaira(nairaToKobo(user.balance)))}</span>
          </li>
        )}
      </ul>
    </Card>
  );
});
