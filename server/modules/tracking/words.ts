/** Words of the recipient's page, by language. */
import type { ReasonCode } from '#contract/event.ts';
import type { RecipientNoteKind, TrackedType, TrackingStage } from '#contract/tracking.ts';
import { productName } from '#contract/version.ts';

/** Selects the parts of the page outside `main`. */
export type Phase = 'coming' | 'delivered' | 'over';

const english = {
  language: 'en',
  title: (number: string) => `Package ${number}`,
  stages: {
    waiting: 'Waiting for a courier',
    accepted: 'A courier will pick it up',
    picked_up: 'It is on its way to you',
    arrived: 'The courier is at your place',
    attempted: 'The courier couldn’t deliver it yet',
    returning: 'It is going back to the sender',
    delivered: 'Delivered',
    returned: 'It went back to the sender',
    cancelled: 'The delivery was cancelled',
  } satisfies Record<TrackingStage, string>,
  events: {
    created: 'Package registered',
    accepted: 'A courier accepted it',
    assigned: 'A courier was chosen',
    unassigned: 'The courier gave it back',
    reopened: 'Waiting for a courier again',
    picked_up: 'Picked up',
    arrived: 'Courier at your place',
    attempt_failed: 'Not delivered',
    return_started: 'Going back to the sender',
    returned: 'Back with the sender',
    delivered: 'Delivered',
    cancelled: 'Cancelled',
    recipient_note: 'You left a note for the courier',
  } satisfies Record<TrackedType, string>,
  /** To the recipient, who is not to be blamed. */
  reasons: {
    recipient_unavailable: 'no one was there',
    phone_unreachable: 'the phone was not answered',
    refused: 'it was not accepted',
    payment_not_ready: 'the payment was not ready',
    no_code: 'the code was missing',
    reschedule_requested: 'another time was asked for',
    closed: 'the place was closed',
    wrong_address: 'the address was wrong',
    cannot_locate: 'the place was not found',
    prohibited_item: 'it may not be carried',
    not_ready: 'it was not ready',
    item_mismatch: 'it was not what was agreed',
    too_large: 'it was too large',
    damaged: 'it was damaged',
    lost: 'it was lost',
    vehicle_breakdown: 'the vehicle broke down',
    unsafe_or_blocked: 'the way was unsafe or blocked',
    weather: 'the weather was bad',
    other: 'something came up',
  } satisfies Record<ReasonCode, string>,
  because: (reason: string) => `Because ${reason}.`,
  tryAgain: 'Tell the courier when, where or to whom to bring it.',
  tryByPhone: 'Call the courier and say when, where or to whom to bring it.',
  notAgain: 'The person who sent it can tell you what happens next.',
  pickup: 'Pickup',
  delivery: 'Delivery',
  timeline: 'What happened',
  courier: 'Your courier',
  call: 'Call',
  whatsApp: 'WhatsApp',
  greeting: (number: string) => `Hello, this is about package ${number}.`,
  away: (distance: string) => `About ${distance} from you`,
  seen: (age: string) => `Seen ${age}, within about 100\u00a0m`,
  place: 'Where the courier is',
  showMap: 'Show the map',
  code: 'Your drop-off code',
  codeHint: 'Give it to the courier only when the package is in your hands.',
  qr: 'Hold this up for the courier to scan.',
  photos: 'Photos of the delivery',
  photosLater: 'They appear here once the courier’s phone has sent them.',
  photo: (number: number) => `Photo ${number} of the delivery`,
  note: 'Not at home? Tell the courier',
  kindLegend: 'What should the courier do?',
  kinds: {
    another_time: 'Come another time',
    safe_place: 'Leave it in a safe place',
    another_person: 'Give it to another person',
  } satisfies Record<RecipientNoteKind, string>,
  text: 'When, where or to whom?',
  send: 'Tell the courier',
  noted: 'The courier will see your note.',
  yourNote: 'Your note to the courier',
  kindMissing: 'Choose one of the three.',
  textMissing: 'Write a few words for the courier.',
  textTooLong: 'Use at most 300 characters.',
  tooMany: 'Too many notes were sent from here. Please try again later.',
  cannotNote: 'No more notes can be left for this package. The person who sent it can help you.',
  wrong: 'Is something wrong?',
  wrongWays: [
    { phases: ['coming'], text: 'While the courier has your package, call them.' },
    {
      phases: ['coming'],
      text: `It is late, or you can’t reach the courier: ask the person who sent it. They can reach ${productName}.`,
    },
    {
      phases: ['delivered'],
      text: `You don’t have it, or it is damaged: tell the person who sent it within 24 hours, so that they can report it in ${productName}.`,
    },
    { phases: ['over'], text: 'You still expect it: ask the person who sent it.' },
    {
      phases: ['coming', 'delivered', 'over'],
      text: 'You don’t know this package: close this page and give no code to anyone.',
    },
  ] as { phases: Phase[]; text: string }[],
  asOf: (time: string) => `As of ${time}.`,
  refresh: 'Refresh',
  /** 'This page closes tomorrow 14:05.' */
  endsAt: (time: string) =>
    `This page closes ${time.replace(/^(Today|Tomorrow)/, (day) => day.toLowerCase())}.`,
  problems: {
    unknown: {
      title: 'This link doesn’t work',
      text: 'Check that it is complete, or ask the person who sent it for a new one.',
    },
    ended: {
      title: 'This link has ended',
      text: 'The delivery ended more than a day ago, or the person who sent it removed the package or made a new link. Ask them.',
    },
    limited: { title: 'Too many attempts', text: 'Please try again later.' },
    malformed: {
      title: 'This couldn’t be read',
      text: 'Open the link again and try once more.',
    },
    broken: {
      title: 'This page isn’t available right now',
      text: 'Please try again in a minute.',
    },
  },
  justNow: 'a moment ago',
  today: 'Today',
  tomorrow: 'Tomorrow',
  yesterday: 'Yesterday',
};

export type Words = typeof english;

const languages: Record<string, Words> = { en: english };

/** By the order of Accept-Language; English for what has no words here. */
export function wordsFor(acceptLanguage: string | undefined): Words {
  for (const part of (acceptLanguage ?? '').split(',')) {
    const language = part.trim().split(/[-;]/, 1)[0]?.toLowerCase() ?? '';
    const words = Object.hasOwn(languages, language) ? languages[language] : undefined;
    if (words) return words;
  }
  return english;
}
