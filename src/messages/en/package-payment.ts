/** The payment card. */

import { localized } from '#messages/localized.ts';

/** Without a name: the reader's own. */
const balanceOf = (sender: string | null) =>
  sender === null ? 'your balance' : `${sender}’s balance`;

/** As the reader would say it. */
const courierFor = (isCourier: boolean) => (isCourier ? 'you' : 'the courier');

interface Reader {
  isCourier: boolean;
  isSender: boolean;
}

export const packagePayment = localized('packagePayment', {
  title: 'Payment',
  app: {
    unpaid: (amount: string, sender: string | null) =>
      `Not paid yet. Paying holds ${amount} of ${balanceOf(sender)} until the package is delivered.`,
    unpaidDelivered: (amount: string, sender: string | null) =>
      `Not paid yet. Paying sends ${amount} from ${balanceOf(sender)} to the courier immediately.`,
    unpaidForCourier: 'The sender has not paid for this package yet.',
    held: (amount: string, isCourier: boolean) =>
      `${amount} is held and goes to ${courierFor(isCourier)} on delivery.`,
    onItsWay: (amount: string, when: string, { isCourier, isSender }: Reader) =>
      `${amount} goes to ${courierFor(isCourier)} as soon as ${isSender ? 'you confirm' : 'the sender confirms'} the delivery, or on ${when}.`,
    photoMissing: (amount: string, { isCourier, isSender }: Reader) => {
      if (isCourier) {
        return `A photo of the delivery hasn’t arrived yet. ${amount} stays held until your phone has sent it, or the sender or a dispatcher confirms the delivery.`;
      }
      return isSender
        ? `A photo of the delivery hasn’t arrived yet. ${amount} stays held until it does, or you confirm the delivery.`
        : `A photo of the delivery hasn’t arrived yet. ${amount} stays held until it does, or the sender or a dispatcher confirms the delivery.`;
    },
    returnClaimed: (amount: string, when: string, { isCourier, isSender }: Reader) => {
      if (isSender) {
        return `You said that you have it back. ${amount} stays held until the courier or a dispatcher confirms that, or until ${when}.`;
      }
      return isCourier
        ? `The sender says that they have it back. ${amount} stays held until you or a dispatcher confirm that, or until ${when}.`
        : `The sender says that they have it back. ${amount} stays held until the courier or a dispatcher confirms that, or until ${when}.`;
    },
    disputed: (amount: string) => `${amount} stays held until a dispatcher decides the dispute.`,
    divided: (share: string, rest: string, isCourier: boolean) =>
      `${share} has been paid to ${courierFor(isCourier)}. ${rest} went back to the sender.`,
    wentBack: (amount: string) => `${amount} went back to the sender.`,
    paidOut: (amount: string, isCourier: boolean) =>
      `${amount} has been paid to ${courierFor(isCourier)}.`,
    cancelled: 'Nothing is held for a cancelled package.',
  },
  cash: {
    cancelled: 'No cash is due for a cancelled package.',
    unpaid: (amount: string) => `${amount} in cash, not marked as paid yet.`,
    paid: (amount: string) => `${amount} has been paid in cash.`,
  },
  notSent: {
    app: 'You can pay once your changes have been sent.',
    cash: 'You can mark it as paid once your changes have been sent.',
  },

  payNow: 'Pay now',
  paying: 'Paying...',
  payQuestion: {
    title: 'Pay now?',
    text: (amount: string, sender: string | null) =>
      `${amount} of ${balanceOf(sender)} is held until the package is delivered.`,
    textDelivered: (amount: string, sender: string | null) =>
      `${amount} of ${balanceOf(sender)} goes to the courier immediately.`,
    textShort: (missing: string, amount: string) =>
      `Your balance is ${missing} short. Add it on the payment provider’s page; ${amount} is then held until the package is delivered.`,
    textShortDelivered: (missing: string, amount: string) =>
      `Your balance is ${missing} short. Add it on the payment provider’s page; ${amount} then goes to the courier immediately.`,
  },
  markPaid: 'Mark as paid',
  marking: 'Saving...',
  markQuestion: {
    title: 'Mark as paid?',
    text: (amount: string) => `Confirm that ${amount} has been paid in cash.`,
  },
  confirm: 'Confirm',
  cancel: 'Cancel',
  paid: (amount: string) => `${amount} is held for this package.`,
  marked: 'Marked as paid.',

  short: (missing: string) => `Your balance is ${missing} short.`,
  shortOf: (missing: string, sender: string) => `${sender}’s balance is ${missing} short.`,
  addFunds: 'Add funds',
  addAndPay: (amount: string) => `Add ${amount} and pay`,
  askedAgain:
    'The money is in your balance, but the package has changed. Look at it before you pay.',
  toPackage: 'View package',
  failed: 'The payment did not go through. Please try again.',
  needsNetwork: 'You need an internet connection for this. Try again when you’re online.',
} as const);
