/** A forgotten password, and links that were mailed. */
import { productName } from '#contract/version.ts';
import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';

export const recovery = localized('recovery', {
  toSignIn: 'Back to Sign In',
  offline: 'You are offline. Connect to the internet first.',
  failure: 'That didn’t work. Wait a minute, then try again.',
  waiting: (count: number) =>
    plural('en', count, {
      one: '1 change waits on this phone. It stays here and is sent after you log in.',
      other: `${count} changes wait on this phone. They stay here and are sent after you log in.`,
    }),
  forgot: {
    title: 'Forgot Password?',
    text: 'We’ll send you a link to set a new one.',
    save: 'Send link',
    busy: 'Sending...',
    unavailable: 'Kaya can’t send links here. Ask a Kaya dispatcher for a new password.',
  },
  sent: {
    title: 'Check Your Email',
    text: (email: string) =>
      `If there is an account for ${email}, a link is on its way. It works for 30 minutes.`,
    nothing: 'Nothing there? Look under spam, too.',
    again: 'Send again',
    busy: 'Sending...',
    sentAgain: 'We sent another link. Only the newest one works.',
    otherEmail: 'Use another email',
  },
  reset: {
    title: 'Set a New Password',
    text: 'Every device is logged out. Log in again with the new one.',
    newPassword: 'New Password',
    hint: 'At least 8 characters.',
    show: 'Show password',
    save: 'Set password',
    busy: 'Setting password...',
    success: 'Password set. Log in with it.',
    unknown:
      'No answer came, so we don’t know whether your password was set. Check your connection and try again.',
  },
  used: {
    title: 'This link no longer works',
    text: 'It was used, is too old, or we sent you a newer one.',
    maybeSet: 'Your new password may be set already. Try to log in with it.',
    incomplete: 'A part of the link is missing. Open it again from the email.',
    newLink: 'Send a new link',
  },
  confirm: {
    busy: 'Confirming your email...',
    title: 'Your email is confirmed',
    text: 'A new password can now reach you, should you ever forget yours.',
    open: `Open ${productName}`,
    usedText: 'It was used, is too old, or you have changed your email. Look under Account.',
    toAccount: 'Go to Account',
    failed: 'Not confirmed yet',
    tryAgain: 'Try again',
  },
} as const);
