/** How a package is handed over: the recipient's code, and the one for a return. */
import type { Handover } from '#contract/package.ts';
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
  back: {
    title: 'Return code',
    text: 'Tell it to the courier once you have your package back.',
    textForOthers: (sender: string) =>
      `${sender} tells it to the courier once they have the package back.`,
  },
  locked: 'Too many wrong codes were tried. The courier needs a photo or a dispatcher now.',
  spoken: (code: string) => `Code ${code}`,
  picture: 'QR code to scan',
  noPicture: 'The QR code could not be loaded. The digits are enough.',
} as const);
