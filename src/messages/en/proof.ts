/** Hand-over at the door: the recipient's code, or a photo and a name. */
import type { Relation } from '#contract/event.ts';
import { localized } from '#messages/localized.ts';

const relations = {
  recipient: 'The recipient',
  household: 'Family',
  colleague: 'Colleague',
  security: 'Security',
  neighbour: 'Neighbour',
  other: 'Someone else',
} satisfies Record<Relation, string>;

export const proof = localized('proof', {
  pictures: 'Proof of delivery',
  photo: (number: number) => `Photo ${number}`,
  signature: 'Signature',
  open: (name: string) => `Open ${name}`,
  remove: (name: string) => `Remove ${name}`,
  loading: (name: string) => `Loading ${name}`,
  tryAgain: (name: string) => `${name} isn’t here yet. Try again`,
  notHere: 'Not here yet',
  close: 'Close',
  takenBy: (name: string | null, relation: Relation | null) => {
    if (name === null) return relation && `Given to: ${relations[relation]}`;
    const isOther = relation !== null && relation !== 'recipient';
    return isOther ? `Given to ${name} · ${relations[relation]}` : `Given to ${name}`;
  },
  deliverTo: (recipient: string) => `Deliver to ${recipient}`,
  returnTo: (sender: string) => `Return to ${sender}`,
  addProof: 'Add proof',
  code: {
    label: 'Recipient’s code',
    ask: (recipient: string) => `Ask ${recipient} for the 6-digit code.`,
    returnLabel: 'Sender’s return code',
    askSender: (sender: string) =>
      `Ask ${sender}: Kaya shows them the 6-digit code with this package. They can also confirm the return there.`,
    wrongDigit: 'This code is not right. Ask for it again.',
    missing: 'Enter all 6 digits of the code.',
    whole: 'The code is complete.',
    none: 'No code?',
    have: 'I have the code',
  },
  scan: {
    start: 'Scan code',
    retry: 'Try the camera again',
    title: 'Scan the recipient’s code',
    aim: 'Point the camera at the code on the recipient’s phone.',
    right: 'Scanned: this is the right code.',
    wrong:
      'This is not this package’s code, or it was replaced. Type the code, or connect and try again.',
    denied: 'Camera access is off. Allow it in your browser settings, or type the code.',
    none: 'The camera can’t be used here. Type the code instead.',
    stop: 'Type the code',
    again: 'Type the code instead',
  },
  photos: {
    title: 'Photo of the package',
    hint: 'Show the package where you leave it.',
    take: 'Take photo',
    another: 'Take another',
    choose: 'From gallery',
    saving: 'Saving the photo…',
    taken: 'Photo saved on this device',
    needed: 'Take a photo first.',
    unreadable: 'This picture can’t be read. Choose a JPEG, PNG or WebP, or take a new one.',
    full: 'Your phone is out of storage, so the picture wasn’t saved. Free up some space, then try again.',
    notSaved: 'The picture wasn’t saved. Please try again.',
  },
  who: {
    relation: 'Who took it?',
    noRelation: 'Choose who took it.',
    name: 'Their name',
    noName: 'Enter the name of who took it.',
    relations,
  },
  sign: {
    add: 'Add signature (optional)',
    label: 'Sign here',
    clear: 'Clear',
  },
  cash: {
    missing: 'Choose whether you have the cash.',
  },
} as const);
