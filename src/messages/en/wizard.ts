/** The wizard, apart from field labels. */
import { localized } from '#messages/localized.ts';

export const wizard = localized('wizard', {
  /** Names of the groups below fields; must not contain the field's own label. */
  places: 'Recent places',
  people: 'Recent people',
  times: 'Suggested times',
  prices: 'Offered before',
  now: 'Now',
  contacts: 'Choose from contacts',
  review: 'Check and send',
  edit: (what: string) => `Edit ${what}`,
  editShort: 'Edit',
  where: 'route',
  who: 'recipient',
  what: 'package',
  balance: (amount: string) => `Your balance: ${amount}`,
  short: (amount: string) =>
    `Your balance is short by ${amount}. You can create it now and pay later.`,
  cashNote: 'The courier collects it at the door',
  returnFee: (percent: number) =>
    percent === 50
      ? 'If it comes back, the courier keeps half of the price.'
      : `If it comes back, the courier keeps ${percent}% of the price.`,
  again: (number: string) => `Filled in from ${number}. Please check it.`,
} as const);
