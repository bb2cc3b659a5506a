import { MessageSquare, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { useActor } from '#data/use-actor.ts';
import { callLink, showPhone, textLink, whatsAppLink } from '#domain/contact-links.ts';
import type { PackageView } from '#domain/overlay.ts';
import { can, factsOf } from '#domain/policy.ts';
import { packages as words } from '#messages/en/packages.ts';
import { ContactLink } from '#package-ui/contact-buttons.tsx';
import layout from '#ui/stack.module.css';
import { WhatsApp } from '#ui/whatsapp.ts';
import css from './contacts.module.css';

interface ContactsProps {
  view: PackageView;
  name: string;
  phone: string | null;
  email: string | null;
  isSelf?: boolean;
  isCalledInBar?: boolean;
  children?: ReactNode;
}

/** Name, number and ways to reach it; without a number, why there is none. */
export function Contacts(props: ContactsProps) {
  const { view, name, phone, email, isSelf, isCalledInBar, children } = props;
  const actor = useActor();
  const { afterAccepting, onceConfirmed, notGiven } = words.detail;
  const isAllowed = can(actor, 'viewContacts', factsOf(view)).isAllowed;
  const missing = view.isAcceptRequested ? onceConfirmed : isAllowed ? notGiven : afterAccepting;
  return (
    <div className={css.contact}>
      <p>
        <strong className={css.name} dir="auto">
          {name}
        </strong>
        <span className={phone ? undefined : layout.soft}>
          {phone === null ? missing : showPhone(phone)}
        </span>
      </p>
      {email && <p>{email}</p>}
      {children}
      {phone && !isSelf && (
        <ContactActions
          phone={phone}
          name={name}
          number={view.packageId}
          hasCall={!isCalledInBar}
        />
      )}
    </div>
  );
}

interface ContactActionsProps {
  phone: string;
  name: string;
  number: string;
  hasCall: boolean;
}

function ContactActions({ phone, name, number, hasCall }: ContactActionsProps) {
  const { contact } = words.detail;
  const call = callLink(phone);
  if (call === null) return null;
  const actions = [
    { href: hasCall ? call : null, Icon: Phone, text: contact.call, label: contact.callTo(name) },
    { href: textLink(phone), Icon: MessageSquare, text: contact.text, label: contact.textTo(name) },
    {
      href: whatsAppLink(phone, contact.greeting(number)),
      Icon: WhatsApp,
      text: contact.whatsApp,
      label: contact.whatsAppTo(name),
      target: '_blank',
      rel: 'noreferrer',
    },
  ];
  return (
    <ul className={`${layout.row} ${css.actions}`}>
      {actions.map(
        ({ href, ...action }) =>
          href !== null && (
            <li key={action.text}>
              <ContactLink look="tile" href={href} title={action.label} {...action} />
            </li>
          ),
      )}
    </ul>
  );
}
