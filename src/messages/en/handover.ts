/** How a package is handed over: the recipient's code, and the one for a return. */
import type { Handover } from '#contract/package.ts';
import { productName } from '#contract/version.ts';
import { localized } from '#messages/localized.ts';

export const handover = localized('handover', {
  choices: { none: 'Anyone may receive', code: 'Recipient’s code' } satisfies Record<
    Handover,
    string
  >,
  notes: {
    none: 'The courier hands it over at the address',
    code: 'The courier asks for a code that only you and the recipient know',
  } satisfies Record<Handover, string>,
  dropoff: {
    title: 'Recipient’s code',
    text: (recipient: string) => `Send it to ${recipient}. The courier asks for it, or scans it.`,
    message: (number: string, code: string) =>
      `Your package ${number} is coming with ${productName}. Give the courier this code when you have it: ${code}`,
  },
  back: {
    title: 'Return code',
    text: 'Tell it to the courier once you have your package back.',
  },
  locked: 'Too many wrong codes were tried. The courier needs a photo or a dispatcher now.',
  spoken: (code: string) => `Code ${code}`,
  picture: 'QR code to scan',
  noPicture: 'The QR code could not be loaded. The digits are enough.',
  send: 'Send code',
  share: 'Share',
  whatsApp: 'WhatsApp',
  copy: 'Copy',
  copied: 'Code copied',
} as const);
