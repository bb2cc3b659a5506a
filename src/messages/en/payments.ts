/** Payment screens. */
import type { TransferCause, TransferKind } from '#contract/payment.ts';
import { formatNaira } from '#domain/money.ts';
import { localized } from '#messages/localized.ts';

export const payments = localized('payments', {
  back: 'Back',
  needsNetwork: 'You need an internet connection for this. Try again when you’re online.',

  payment: {
    title: 'Payment',
    loading: 'Loading your balance',
    available: 'Available balance',
    held: 'On hold',
    heldHint: 'For paid packages that aren’t delivered yet.',
    earned: 'Earned in the app',
    earnedHint: 'Paid into your balance for deliveries. Cash isn’t included.',
    onItsWay: 'On its way',
    onItsWayHint: 'For deliveries that aren’t confirmed yet. It will be paid automatically.',
    addFunds: 'Add funds',
    addFundsOnline: 'Connect to add funds',
    asOf: (when: string) => `As of ${when}`,
    neverHeard: 'Not loaded yet',
    refreshFailed: 'Couldn’t refresh.',
    loadFailed: 'Couldn’t load your payments.',
    tryAgain: 'Try again',
    trying: 'Trying...',
    success: 'Payment successful!',
    failure: 'Payment failed. Please try again.',
    unfinishedTitle: 'A payment is not confirmed yet',
    unfinishedText: 'It was started on this device. We don’t know the result yet.',
    check: 'Check it',
  },

  history: {
    title: 'History',
    empty: 'No payments yet.',
    emptyText: 'What you add, pay and earn appears here.',
    more: 'Show more',
    loadingMore: 'Loading...',
    kinds: {
      top_up: 'Deposit',
      hold: 'Held for delivery',
      release: 'Delivery paid',
      refund: 'Refund',
      adjustment: 'Correction',
      payout: 'Cash out',
      payout_returned: 'Payout came back',
    } satisfies Record<TransferKind, string>,
    earning: 'Delivery earned',
    ofDay: (amount: string) => `${amount} earned`,
    causes: {
      return: 'Return fee',
      dispute: 'Dispute decided',
      correction: 'Delivery taken back',
    } satisfies Record<TransferCause, string>,
    fromHold: 'from hold',
    toHold: 'back to hold',
    package: (number: string) => `Package ${number}`,
    reference: 'Reference',
    balance: (balance: string) => `Balance ${balance}`,
  },

  deposit: {
    title: 'Add Funds',
    label: 'Deposit',
    email: 'Email',
    emailHint: 'From your profile.',
    balance: (balance: string) => `Available balance: ${balance}`,
    amount: 'Amount (NGN)',
    amountHint: 'At least ₦100',
    quick: 'Quick amounts',
    save: 'Proceed to Payment',
    busy: 'Processing...',
    failure: 'Payment failed. Try again.',
    leaves: 'You’ll pay on the payment provider’s page, then return here.',
    success: (kobo: number) => `Deposit of ${formatNaira(kobo)} successful!`,
    added: (kobo: number) => `${formatNaira(kobo)} has been added to your balance.`,
    addedBefore: (kobo: number) =>
      `${formatNaira(kobo)} from this payment was already added to your balance.`,
    toPayment: 'See your balance',
    toPackage: 'Back to the package',
  },

  verify: {
    label: 'Payment check',
    amount: 'Amount',
    reference: 'Reference',
    stop: 'Stop checking',
    again: 'Check again',
    restart: 'Try again',
    leave: 'Back to Payment',
    toProvider: 'Go to the payment page',
    stopped: 'Stopped checking. If you paid, it will still be added to your balance.',
    notYours: 'This payment was started from another account.',
    texts: {
      checking: {
        title: 'Verifying payment...',
        text: 'This takes a few seconds. You can leave this screen; we’ll check again when you come back.',
      },
      unreachable: {
        title: 'Can’t check this payment right now',
        text: 'You need an internet connection. We’ll check the payment when you’re online.',
      },
      slow: {
        title: 'This payment is not confirmed yet',
        text: 'The provider hasn’t confirmed it yet. If you paid, it will be added to your balance; this can take a few minutes.',
      },
      failed: {
        title: 'The payment was declined',
        text: 'Nothing was added to your balance.',
      },
      abandoned: {
        title: 'The payment was not finished',
        text: 'Nothing has been added to your balance so far.',
      },
      review: {
        title: 'This payment needs review',
        text: 'The amount or currency doesn’t match. A dispatcher will review it. Keep the reference.',
      },
    },
  },
} as const);
