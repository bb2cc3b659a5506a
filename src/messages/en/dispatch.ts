/** Actions and texts on a package that only dispatchers see. */
import type { Progress } from '#contract/event.ts';
import type { DeliveryStatus } from '#domain/status.ts';
import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';

const activeDeliveries = (count: number) =>
  plural('en', count, { one: '1 active delivery', other: `${count} active deliveries` });

export const dispatch = localized('dispatch', {
  title: 'Dispatch',
  states: {
    pending: 'No courier yet.',
    'in-transit': 'It is on its way.',
    delivered: 'It has been delivered.',
    cancelled: 'It has been cancelled.',
  } satisfies Record<DeliveryStatus, string>,
  carried: {
    accepted: (name: string) => `Assigned to ${name}, not picked up yet.`,
    picked_up: (name: string) => `On its way with ${name}.`,
    arrived: (name: string) => `${name} is at the drop-off.`,
    attempted: (name: string) => `Not delivered. ${name} has it.`,
    returning: (name: string) => `On its way back with ${name}.`,
  } satisfies Record<Progress, (name: string) => string>,
  waiting: 'This package has an unsent change. Wait until it has been sent.',
  needsNetwork: 'You need an internet connection for this. Try again when you’re online.',
  failure: 'Update failed',
  changed: 'The package has changed in the meantime. Review it and try again.',
  cancel: 'Cancel',
  keep: 'Go back',

  assign: 'Assign courier',
  reassign: 'Reassign',
  meanwhile: (name: string | null) =>
    name === null
      ? 'It was just put back to Pending. Tap again to assign it anyway.'
      : `It was just assigned to ${name}. Tap again to reassign it anyway.`,
  assigned: (name: string) => `Assigned to ${name}.`,

  toPending: 'Back to Pending',
  pendingQuestion: 'Move it back to Pending?',
  pendingText: 'It will be available to all couriers again.',
  pendingTextFrom: (name: string) =>
    `${name} will be unassigned. It will be available to all couriers again.`,
  pendingUnpaid: 'Payments won’t be reversed, and the sender has to pay again.',
  toPendingDone: 'It’s available to couriers again.',

  cancelPackage: 'Cancel package',
  cancelQuestion: 'Cancel this package?',
  cancelText: 'It will no longer be available to couriers.',
  cancelTextDelivered: 'It has been delivered. Payments won’t be reversed.',
  cancelTextFrom: (name: string) => `${name} will be unassigned.`,
  cancelRefund: (amount: string) => `${amount} goes back to the sender’s balance.`,
  cancelled: 'Package cancelled.',

  unpaid: 'Mark as unpaid',
  unpaidQuestion: 'Mark as unpaid?',
  unpaidText: (amount: string) => `The ${amount} cash payment will be marked as not received.`,
  unpaidDone: 'Marked as unpaid.',
  refund: 'Refund sender',
  refundQuestion: 'Refund the sender?',
  refundText: (amount: string) =>
    `${amount} goes back to the sender’s balance, and the package is unpaid.`,
  refunded: 'Refunded.',

  picker: {
    search: 'Search couriers',
    placeholder: 'Name, phone or vehicle',
    legend: 'Courier',
    none: 'No matching couriers.',
    nobody: 'No active couriers have a complete profile.',
    count: (count: number) => plural('en', count, { one: '1 courier', other: `${count} couriers` }),
    more: (count: number) => `${count} more. Search by name to find them.`,
    carries: (count: number) => (count === 0 ? 'No active deliveries' : activeDeliveries(count)),
    choose: 'Choose a courier.',
    busy: 'Assigning...',
  },
} as const);
