import { useTerms } from '#data/use-terms.ts';
import { support as words } from '#messages/en/support.ts';
import { type ButtonTone, buttonClass } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';

/** A person to turn to, where the operator has set one (SUPPORT_CONTACT). */
export function SupportContact({ tone = 'primary' }: { tone?: ButtonTone }) {
  const { support } = useTerms();
  if (support === null) return null;
  const found = Object.entries(words.contact).find(([scheme]) => support.startsWith(scheme));
  return (
    found && (
      <a className={buttonClass(tone)} href={support}>
        {found[1]}
      </a>
    )
  );
}

/** For a mail that does not come. */
export const MailSupport = () => <SupportContact tone="quiet" />;

/** Where the operator has set no mail server (SMTP_URL), a dispatcher sets the new password. */
export function NoMailNotice() {
  const { hasMail } = useTerms();
  if (hasMail !== false) return null;
  return (
    <>
      <p className={`${layout.box} ${layout.warn}`} role="status">
        {words.noMail}
      </p>
      <SupportContact tone="quiet" />
    </>
  );
}
