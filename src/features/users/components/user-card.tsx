import { Phone } from 'lucide-react';
import { memo, useId } from 'react';
import { Link } from 'react-router-dom';
import { callLink, showPhone } from '#domain/contact-links.ts';
import { formatNaira, nairaToKobo } from '#domain/money.ts';
import type { Actor } from '#domain/policy.ts';
import { roleOf, type User } from '#domain/user.ts';
import { canEditUser } from '#domain/user-policy.ts';
import { givenBackDays, useGivenBack } from '#features/users/hooks/use-given-back.ts';
import { useSeen } from '#features/users/hooks/use-seen.ts';
import css from '#features/users/users.module.css';
import { users as words } from '#messages/en/users.ts';
import { Badge, type BadgeTone } from '#ui/badge.tsx';
import { buttonClass } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';

const roleTones = { Customer: 'neutral', Employee: 'plain', Admin: 'good' } satisfies Record<
  string,
  BadgeTone
>;

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** By grapheme, so that an emoji or a letter with combining marks stays whole. */
function initialOf(name: string): string {
  const [first] = segments.segment(name.trim());
  return (first?.segment ?? '?').toLocaleUpperCase('en');
}

/** Decorative (aria-hidden): always rendered next to the full name. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className={`${layout.tile} ${layout.round} ${layout.neutral} ${css.avatar}`} aria-hidden>
      {initialOf(name)}
    </span>
  );
}

/** Role and exceptional states; nothing if the account is hidden from this user. */
export function UserBadges({ user, isSelf }: { user: User; isSelf: boolean }) {
  if (user.roles.length === 0) return null;
  const role = roleOf(user.roles);
  return (
    <div className={layout.row}>
      <Badge tone={roleTones[role]}>{words.roles[role]}</Badge>
      {!user.isActive && <Badge tone="bad">{words.states.deactivated}</Badge>}
      {isSelf && <Badge tone="neutral">{words.you}</Badge>}
      {role === 'Employee' && <Seen userId={user.id} />}
      <GivenBack user={user} />
    </div>
  );
}

function Seen({ userId }: { userId: string }) {
  const seen = useSeen(userId);
  return seen && <Badge tone="good">{seen}</Badge>;
}

function GivenBack({ user }: { user: User }) {
  const count = useGivenBack(user);
  return count > 0 && <Badge tone="warn">{words.gaveBack(count, givenBackDays)}</Badge>;
}

function PhoneNumber({ phone, name }: { phone: string | null; name: string }) {
  const link = phone === null ? null : callLink(phone);
  const shown = showPhone(phone ?? '');
  if (link === null) return <span className={layout.soft}>{shown || words.noPhone}</span>;
  return (
    <a
      className={`${layout.row} ${css.call}`}
      href={link}
      aria-label={`${shown}, ${words.call(name)}`}
    >
      <Phone aria-hidden size={18} />
      {shown}
    </a>
  );
}

interface UserCardProps {
  user: User;
  name: string;
  actor: Actor;
}

export const UserCard = memo(function UserCard({ user, name, actor }: UserCardProps) {
  const id = useId();
  return (
    <article className={`${layout.surface} ${layout.row} ${css.card}`} aria-labelledby={id}>
      <Avatar name={name} />
      <div className={css.who}>
        <h2 className={`${css.title} ${layout.clamped}`} id={id} dir="auto">
          {name}
        </h2>
        <UserBadges user={user} isSelf={user.id === actor.id} />
      </div>
      {canEditUser(actor, user.id).isAllowed && (
        <Link
          className={buttonClass('soft')}
          to={`/edit-user/${user.id}`}
          aria-label={words.editPerson(name)}
        >
          {words.edit}
        </Link>
      )}
      <ul className={`${layout.spread} ${css.contacts}`}>
        <li>
          <PhoneNumber phone={user.phoneNumber} name={name} />
        </li>
        {user.balance !== null && (
          <li>{words.available(formatNaira(nairaToKobo(user.balance)))}</li>
        )}
        {user.email && <li className={`${layout.soft} ${css.email}`}>{user.email}</li>}
      </ul>
    </article>
  );
});
