/** What the payment screens say: SPEC.md sections 2, 5 and 8. */
import type { TransferKind } from '#contract/payment.ts';
import { formatNaira } from '#domain/money.ts';

export const payments = {
  back: 'Back',
  needsNetwork: 'This needs the network. Please try again when you are connected.',

  payment: {
    title: 'Payment',
    loading: 'Loading your balance',
    available: 'Available balance',
    held: 'On hold',
    heldHint: 'For packages that are paid and not delivered yet.',
    earned: 'Earned',
    earnedHint: 'All that your deliveries have brought in.',
    addFunds: 'Add funds',
    asOf: (when: string) => `As of ${when}`,
    neverHeard: 'Not known on this phone yet',
    refreshFailed: 'This could not be brought up to date.',
    loadFailed: 'Your payments could not be loaded.',
    historyNeedsNetwork: 'Your history needs the network. It is shown when you are connected.',
    tryAgain: 'Try again',
    trying: 'Trying...',
    success: 'Payment successful!',
    failure: 'Payment failed. Please try again.',
    unfinishedTitle: 'A payment is not confirmed yet',
    unfinishedText: 'It was begun on this phone, and what became of it is not known.',
    check: 'Check it',
  },

  history: {
    title: 'History',
    empty: 'No payments yet. What you add, pay and earn appears here.',
    more: 'Show more',
    loadingMore: 'Loading...',
    kinds: {
      top_up: 'Deposit',
      hold: 'Held for delivery',
      release: 'Delivery paid',
      refund: 'Refund',
      adjustment: 'Correction',
    } satisfies Record<TransferKind, string>,
    earning: 'Delivery earned',
    fromHold: 'from hold',
    package: (number: string) => `Package ${number}`,
    reference: (reference: string) => `Reference ${reference}`,
    balance: (balance: string) => `Balance ${balance}`,
  },

  deposit: {
    title: 'Add Funds',
    label: 'Deposit',
    email: 'Email',
    emailHint: 'As in your profile.',
    amount: 'Amount (NGN)',
    amountHint: 'At least ₦100',
    quick: 'Quick choice',
    submit: 'Proceed to Payment',
    busy: 'Processing...',
    failure: 'Payment failed. Try again.',
    leaves: 'You pay on the page of the payment provider and come back here.',
    success: (kobo: number) => `Deposit of ${formatNaira(kobo)} successful!`,
    added: (kobo: number) => `${formatNaira(kobo)} has been added to your balance.`,
    addedBefore: (kobo: number) =>
      `The ${formatNaira(kobo)} of this payment were added to your balance before.`,
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
    stopped: 'No longer checked here. If it was paid, it is still added to your balance.',
    notYours: 'This payment was not begun by this account, so it is not checked here.',
    texts: {
      checking: {
        title: 'Verifying payment...',
        text: 'This takes a few seconds. You may leave this screen; it is checked again when you come back.',
      },
      unreachable: {
        title: 'This payment cannot be checked just now',
        text: 'It needs the network. The payment is remembered on this phone and checked as soon as you are connected.',
      },
      slow: {
        title: 'This payment is not confirmed yet',
        text: 'The payment provider has not reported it as paid. If you have paid, it is added to your balance as soon as the provider says so; that can take some minutes.',
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
        title: 'This payment has to be looked at',
        text: 'It was paid in another way than was asked for, so it waits for a dispatcher. Keep the reference.',
      },
    },
  },
} as const;
