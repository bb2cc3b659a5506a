/** After a delivery: confirming it, or reporting a problem, which a dispatcher decides. */
import type { DisputeDecision, DisputeKind } from '#contract/dispute.ts';
import { localized } from '#messages/localized.ts';

type Effect = (courier: string, sender: string) => string;

export const disputes = localized('disputes', {
  confirm: 'Confirm delivery',
  confirmReturn: 'Confirm return',
  noMoneyMoved: 'No money moved',
  /** A return declared by the sender only. */
  returnClaimed: 'Says the sender. The courier hasn’t confirmed it yet.',
  report: 'Report a problem',
  ended: {
    title: 'All in order?',
    otherTitle: 'Something wrong?',
    /** `until`: 'tomorrow 14:05'. */
    delivered: (until: string) =>
      `Confirm that the package arrived. You can report a problem until ${until}.`,
    /** `when`: 'tomorrow 14:05'. */
    held: (when: string, isSender: boolean) =>
      isSender
        ? `The money goes to the courier ${when}, unless you report a problem.`
        : `The money goes to you ${when}, unless the sender reports a problem.`,
    /** `when`: 'tomorrow 14:05'. */
    returnClaimed: (when: string) =>
      `The sender says that they have it back. If that’s not right, report a problem before ${when}.`,
    other: (until: string) => `You can report a problem until ${until}.`,
  },
  form: {
    kind: 'What is wrong?',
    text: 'Describe it',
    noKind: 'Choose what is wrong.',
    noText: 'Describe what happened.',
    save: 'Send report',
    busy: 'Sending...',
    cancel: 'Cancel',
  },
  kinds: {
    not_received: 'It did not arrive',
    damaged: 'It is damaged',
    wrong_item: 'It is not the right package',
    false_attempt: 'The courier was never there',
    overcharge: 'The amount is not right',
  } satisfies Record<DisputeKind, string>,
  open: {
    title: 'Problem reported',
    by: { sender: 'By the sender', courier: 'By the courier', you: 'By you' },
    unsent: 'Waiting to send. A dispatcher will look at it once it has been sent.',
    wait: (isHeld: boolean) =>
      `A dispatcher will review it. ${isHeld ? 'The money stays held until they decide.' : 'You will see here what they decide.'}`,
  },
  decided: {
    release: 'Decided for the courier',
    refund: 'Decided for the sender',
    split: 'Decided for each in part',
  } satisfies Record<DisputeDecision, string>,
  decide: {
    action: 'Resolve problem',
    title: 'Resolve problem',
    what: 'Who is right?',
    nothingHeld: 'It wasn’t paid in the app, so no money moves. Your decision is written down.',
    whatOfPaid: (amount: string) => `Who gets the ${amount} that was paid?`,
    /** After a payout: the amount that moves between the balances. */
    moves: {
      toCourier: (amount: string, sender: string) =>
        `${amount} from ${sender}’s balance to the courier`,
      toSender: (amount: string, courier: string) =>
        `${amount} from ${courier}’s balance to the sender`,
      none: 'Stays as it is: no money moves',
    },
    /** `missing`: the part of the decision's amount that the balance lacks. */
    short: (name: string, missing: string) =>
      `${name}’s balance is ${missing} short of this. Choose a share that it covers.`,
    whatOf: (amount: string) => `What happens to the ${amount} that is held?`,
    choices: {
      release: 'Release',
      refund: 'Refund',
      split: 'Split',
    } satisfies Record<DisputeDecision, string>,
    /** With the amounts for the courier and the sender. */
    notes: {
      release: (courier: string) => `${courier} to the courier`,
      refund: (_: string, sender: string) => `${sender} back to the sender`,
      split: (courier: string, sender: string) => `${courier} to the courier, ${sender} back`,
    } satisfies Record<DisputeDecision, Effect>,
    saves: {
      release: (courier: string) => `Release ${courier}`,
      refund: (_: string, sender: string) => `Refund ${sender}`,
      split: () => 'Split',
    } satisfies Record<DisputeDecision, Effect>,
    /** Used without a name. */
    sides: {
      release: 'The courier',
      refund: 'The sender',
      split: 'Both, in part',
    } satisfies Record<DisputeDecision, string>,
    percent: 'Courier’s share in percent',
    reason: 'Reason',
    noDecision: 'Choose what happens.',
    noPercent: 'Enter a whole number from 1 to 99.',
    noReason: 'Give a reason.',
    save: 'Resolve',
    busy: 'Saving...',
    cancel: 'Cancel',
    done: 'Problem settled',
    failed: 'Couldn’t settle this. Please try again.',
    needsNetwork: 'You need an internet connection for this. Try again when you’re online.',
  },
} as const);
