/** A courier's earnings, bank account and payouts. */
import type { PayoutReason, PayoutStatus } from '#contract/payout.ts';
import { localized } from '#messages/localized.ts';

export const payouts = localized('payouts', {
  close: 'Close',
  needsNetwork: 'You need an internet connection for this. Try again when you’re online.',

  earnings: {
    title: 'Earnings',
    today: 'Today',
    week: 'This week',
    /** From Monday. */
    days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
    table: 'Earned this week, by day',
    day: 'Day',
    earned: 'Earned',
    notYet: 'Not there yet',
    held: 'Held for you',
    cash: 'Cash today',
    bank: 'On its way',
    total: 'Earned in the app',
  },

  bar: {
    cashOut: 'Cash out',
    add: 'Add bank account',
    offline: 'Connect to cash out',
    waits: (when: string) => `Cash out from ${when}`,
    tooLittle: (minimum: string) => `Cash out from ${minimum}`,
  },

  account: {
    title: 'Bank account',
    waits: (when: string) => `First payout from ${when}`,
    change: 'Change',
    changeLabel: 'Change bank account',
  },

  form: {
    label: 'Bank account',
    add: 'Add bank account',
    bank: 'Bank',
    bankHint: 'Type its name, like GTBank.',
    banks: 'Matching banks',
    more: 'Type more of its name to see others.',
    noBank: 'No bank with this name. Check the spelling.',
    chooseBank: 'Choose your bank from the list.',
    otherBank: 'Change bank',
    loading: 'Loading the banks',
    loadFailed: 'Couldn’t load the banks.',
    tryAgain: 'Try again',
    trying: 'Trying...',
    number: 'Account number',
    numberHint: '10 digits, like 0123456789.',
    badNumber: 'Enter the 10 digits of the account number.',
    looking: 'Asking the bank whose account it is...',
    stillLooking: 'Wait for the name, and check that it is yours.',
    nameFailed: 'Couldn’t ask the bank whose account it is.',
    isYou: 'Is this you?',
    unknown: 'The bank doesn’t know this number. Check the bank and the digits.',
    password: 'Your Kaya password',
    passwordHint: 'So that nobody else sends your money elsewhere.',
    noPassword: 'Enter your Kaya password.',
    showPassword: 'Show password',
    waits: (when: string) =>
      `First payout from ${when}. A new account waits, in case somebody else added it.`,
    save: 'Save bank account',
    busy: 'Saving...',
    saved: 'Your bank account is saved.',
    failure: 'Couldn’t save the bank account.',
  },

  cashOut: {
    title: 'Cash out',
    amount: 'Amount',
    available: (amount: string) => `Available: ${amount}`,
    quick: 'Quick amounts',
    all: (amount: string) => `All · ${amount}`,
    fee: 'Fee',
    arrives: 'Arrives at your bank',
    leaves: 'Taken from your balance',
    to: 'To',
    when: 'When',
    byToday: (time: string) => `By ${time} today`,
    byTomorrow: (time: string) => `By ${time} tomorrow`,
    by: (when: string) => `By ${when}`,
    save: 'Cash out',
    saveAmount: (amount: string) => `Cash out ${amount}`,
    busy: 'Sending...',
    noAmount: 'Enter the amount in figures, for example 5000.',
    tooSmall: (minimum: string) => `The smallest payout is ${minimum}.`,
    tooMuch: (largest: string) => `With the fee you can cash out up to ${largest}.`,
    failure: 'Couldn’t cash out.',
    unknown:
      'No answer came. Press Cash out again: it is the same payout, and never goes out twice.',
    done: (amount: string, when: string) => `${amount} is on its way. ${when}.`,
  },

  list: {
    title: 'Payouts',
    statuses: {
      pending: 'On its way',
      paid: 'Paid',
      returned: 'Came back',
    } satisfies Record<PayoutStatus, string>,
    reasons: {
      failed: 'The bank did not take it.',
      reversed: 'The bank sent it back.',
      blocked: 'The payment provider stopped it.',
      refused: 'The payment provider did not accept it.',
    } satisfies Record<PayoutReason, string>,
    returned: (amount: string) => `${amount} is back in your balance.`,
    late: 'It takes longer than usual. We keep asking the bank.',
    to: (bank: string, end: string) => `${bank} •••• ${end}`,
    fee: (fee: string) => `Fee ${fee}`,
    more: 'Show more payouts',
  },
} as const);
