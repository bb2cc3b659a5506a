import { MessageCircle, MessageSquare, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { callLink, textLink, whatsAppLink } from '#domain/contact-links.ts';
import css from './detail.module.css';
import { words } from './words.ts';

interface ContactActionsProps {
  phone: string;
  /** Who answers. */
  name: string;
  /** Of the package that it is about; '' until it has one. */
  number: string;
}

interface ActionProps {
  href: string | null;
  icon: ReactNode;
  text: string;
  label: string;
  isElsewhere?: boolean;
}

function Action({ href, icon, text, label, isElsewhere = false }: ActionProps) {
  if (href === null) return null;
  const elsewhere = isElsewhere ? { target: '_blank', rel: 'noreferrer' } : {};
  return (
    <li>
      <a className={css.action} href={href} aria-label={label} {...elsewhere}>
        {icon}
        {text}
      </a>
    </li>
  );
}

/** Ways to reach somebody, as far as the number allows them. */
export function ContactActions({ phone, name, number }: ContactActionsProps) {
  const call = callLink(phone);
  if (call === null) return null;
  const { contact } = words.detail;
  return (
    <ul className={css.actions}>
      <Action
        href={call}
        icon={<Phone aria-hidden size={22} />}
        text={contact.call}
        label={contact.callTo(name)}
      />
      <Action
        href={textLink(phone)}
        icon={<MessageSquare aria-hidden size={22} />}
        text={contact.text}
        label={contact.textTo(name)}
      />
      <Action
        href={whatsAppLink(phone, contact.greeting(number))}
        icon={<MessageCircle aria-hidden size={22} />}
        text={contact.whatsApp}
        label={contact.whatsAppTo(name)}
        isElsewhere
      />
    </ul>
  );
}
