/** Links that call, write and lead the way: as buttons, in the bar at the thumb, or in a card. */
import { type LucideIcon, Navigation, Phone } from 'lucide-react';
import { callLink, navigationLink } from '#domain/contact-links.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { StopName } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { packages as words } from '#messages/en/packages.ts';
import { buttonClass } from '#ui/button.tsx';
import css from './contact-buttons.module.css';

/** `bar`: an icon above its word, beside the one action; `tile`: the same in a card. */
type Look = 'soft' | 'primary' | 'bar' | 'tile';

interface ContactLinkProps {
  href: string;
  target?: string | undefined;
  rel?: string;
  title?: string;
  look: Look;
  Icon: LucideIcon;
  /** The action, with the name of its person or place. */
  label: string;
  /** Null: an icon only. */
  text: string | null;
}

/** A link or button that looks like one of these. */
export const tileClass = css.tile;

const classes: Record<Look, string | undefined> = {
  soft: buttonClass('soft'),
  primary: buttonClass(),
  bar: `${css.tile} ${css.bar}`,
  tile: css.tile,
};

export function ContactLink({ look, Icon, label, text, href, ...rest }: ContactLinkProps) {
  const isTile = look === 'bar' || look === 'tile';
  return (
    <a className={classes[look]} href={href} aria-label={label} {...rest}>
      <Icon aria-hidden size={isTile ? 22 : 20} />
      {text !== null && <bdi>{text}</bdi>}
    </a>
  );
}

/** The contact at a stop; without a number if it is withheld. */
export function contactAt(view: PackageView, stop: StopName) {
  return stop === 'pickup'
    ? { name: displayName(view.sender), phone: view.sender.phoneNumber }
    : { name: view.recipientName, phone: view.recipientPhone };
}

interface CallLinkProps {
  name: string;
  /** On the button where it could be one of several people. */
  firstName?: string | null;
  phone: string | null;
  look?: Look;
}

/** Nothing without a number to dial. */
export function CallLink({ name, firstName, phone, look = 'soft' }: CallLinkProps) {
  const href = phone && callLink(phone);
  if (!href) return null;
  const { call, callTo } = words.detail.contact;
  const text = firstName ? callTo(firstName) : call;
  return <ContactLink look={look} href={href} Icon={Phone} label={callTo(name)} text={text} />;
}

interface NavigateLinkProps {
  view: PackageView;
  stop: StopName;
  look?: Look;
  isWorded?: boolean;
}

export function NavigateLink({ view, stop, look = 'bar', isWorded = true }: NavigateLinkProps) {
  const address = view[`${stop}Address`];
  return (
    <ContactLink
      look={look}
      Icon={Navigation}
      label={words.navigateTo(address)}
      text={isWorded ? words.navigate : null}
      {...navigationLink(address, view[`${stop}Location`], navigator.userAgent)}
    />
  );
}
