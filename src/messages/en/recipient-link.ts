/** The recipient's link: sending it, replacing it, and the label that carries it. */
import { productName } from '#contract/version.ts';
import { localized } from '#messages/localized.ts';

export const recipientLink = localized('recipientLink', {
  title: 'Recipient’s link',
  unsent: 'The link appears once the package is sent.',
  text: (recipient: string) => `${recipient} can follow the package here, without an account.`,
  reminder: (recipient: string) => `You haven’t sent ${recipient} the link yet.`,
  dismiss: 'Not now',
  code: 'Recipient’s code',
  codeText: (recipient: string) =>
    `${recipient} tells it to the courier at the door, or lets them scan it.`,
  message: {
    coming: (number: string) => `Your package ${number} is coming with ${productName}.`,
    goingBack: (number: string) => `Your package ${number} is going back to its sender.`,
    follow: (link: string) => `Follow it: ${link}`,
    codeLine: (code: string) => `Give the courier this code at the door: ${code}`,
  },
  send: 'Send link',
  sendCode: 'Send code',
  share: 'Share link',
  whatsApp: 'WhatsApp',
  sms: 'Message',
  copy: 'Copy',
  copied: 'Copied. Paste it into a message to the recipient.',
  open: 'See their page',
  replace: {
    action: 'New link',
    question: 'Make a new link?',
    text: 'The current link will stop working.',
    textWithCode: 'The current link and code will stop working.',
    keep: 'Keep it',
    done: (recipient: string) => `The old link has stopped working. Send ${recipient} the new one.`,
    failed: 'Couldn’t make a new link. Try again.',
    needsNetwork: 'You need an internet connection to make a new link.',
  },
  label: {
    action: 'Print label',
    title: 'Label',
    to: 'To',
    from: 'From',
    scan: 'Scan to follow this package',
    picture: 'QR code of the recipient’s link',
    noLink:
      'No QR code on it, because it would show the courier the recipient’s code. Send the recipient the link instead.',
    print: 'Print',
    close: 'Close',
    failed: 'Couldn’t load the label. Connect to the internet and try again.',
  },
} as const);
