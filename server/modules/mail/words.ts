/** What mails say. */
import { productName } from '#contract/version.ts';
import { formatDate } from '#domain/dates.ts';
import type { MailKind, Notice } from '#server/database/account-schema.ts';

export interface Facts {
  kind: MailKind;
  to: string;
  /** Of the app, without a trailing slash. */
  origin: string;
  /** For `reset` and `confirm`. */
  token: string | null;
  /** For `account_notice`. */
  notice: Notice | null;
  /** When it was written. */
  at: Date;
  /** Link to a person who helps: mailto:, tel: or https:; null: none is set. */
  support: string | null;
}

export interface Letter {
  subject: string;
  sentences: readonly string[];
  button: { label: string; link: string };
  /** Below the button. */
  after: readonly string[];
}

const letters: Record<MailKind, (facts: Facts) => Letter> = {
  reset: ({ origin, token }) => ({
    subject: `Set a new password for ${productName}`,
    sentences: ['You asked for a new password. Set it here; the link works for 30 minutes.'],
    button: { label: 'Set a new password', link: `${origin}/reset-password#token=${token}` },
    after: ['If you didn’t ask for this, ignore this mail. Your password stays as it is.'],
  }),
  confirm: ({ origin, token }) => ({
    subject: `Confirm your email for ${productName}`,
    sentences: ['Is this your mailbox? Confirm it, and you can always get back into your account.'],
    button: { label: 'Confirm email', link: `${origin}/confirm-email#token=${token}` },
    after: [
      'The link works for 7 days.',
      `If you have no ${productName} account, ignore this mail.`,
    ],
  }),
  password_changed: ({ origin, at }) => ({
    subject: `Your ${productName} password was changed`,
    sentences: [
      `Your password was changed on ${formatDate(at.toISOString(), '')}.`,
      'If that was you, there is nothing to do. If it wasn’t, set a new one now: that logs everyone else out.',
    ],
    button: { label: 'Set a new password', link: `${origin}/forgot-password` },
    after: [],
  }),
  account_notice: ({ origin, notice }) => ({
    subject: notice?.title ?? productName,
    sentences: notice?.sentences ?? [],
    button: { label: `Open ${productName}`, link: origin },
    after: [],
  }),
};

/** To the former e-mail, whose owner may not have changed it. */
export const emailChanged = (email: string): Notice => ({
  title: `Your ${productName} email was changed`,
  sentences: [
    `You log in with ${email} from now on, and mails go there.`,
    'If you didn’t change it, ask for help now: somebody else is in your account.',
  ],
});

const showSupport = (link: string) => link.replace(/^(mailto|tel):/, '');

export function letterOf(facts: Facts): Letter {
  const letter = letters[facts.kind](facts);
  const { support, to } = facts;
  const help = support === null ? [] : [`Questions? ${showSupport(support)}`];
  return {
    ...letter,
    after: [...letter.after, ...help, `${productName} sent this to ${to}.`],
  };
}
