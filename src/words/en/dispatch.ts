/** What a dispatcher reads and presses on a package: DESIGN.md section 3, the column of the admin. */
import type { DeliveryStatus } from '#domain/status.ts';

const packages = (count: number) => (count === 1 ? '1 package' : `${count} packages`);

export const dispatch = {
  title: 'Dispatch',
  states: {
    pending: 'Nobody carries it yet.',
    'in-transit': 'It is on its way.',
    delivered: 'It has been delivered.',
    cancelled: 'It has been cancelled.',
  } satisfies Record<DeliveryStatus, string>,
  carriedBy: (name: string) => `On its way with ${name}.`,
  waiting: 'A change of this package has not been sent yet. Wait until it is.',
  needsNetwork: 'This needs the network. Please try again when you are connected.',
  failure: 'Update failed',
  changed: 'The package has changed meanwhile. Look at it, and decide again.',
  cancel: 'Cancel',
  keep: 'Leave it',

  assign: 'Assign courier',
  reassign: 'Reassign',
  meanwhile: (name: string | null) =>
    name === null
      ? 'Somebody has just put it back to Pending. Press again to assign it all the same.'
      : `Somebody has just assigned it to ${name}. Press again to reassign it all the same.`,
  assigned: (name: string) => `Assigned to ${name}.`,

  toPending: 'Back to Pending',
  pendingQuestion: 'Put it back to Pending?',
  pendingText: 'It is offered to all couriers again.',
  pendingTextFrom: (name: string) =>
    `${name} no longer carries it. It is offered to all couriers again.`,
  toPendingDone: 'It is back on offer.',

  cancelPackage: 'Cancel package',
  cancelQuestion: 'Cancel this package?',
  cancelText: 'It is taken off the offers.',
  cancelTextDelivered: 'It has been delivered. What was paid for it stays paid.',
  cancelTextFrom: (name: string) => `${name} no longer carries it.`,
  cancelRefund: (amount: string) => `${amount} goes back to the sender’s balance.`,
  cancelled: 'Package cancelled.',

  unpaid: 'Mark as unpaid',
  unpaidQuestion: 'Mark as unpaid?',
  unpaidText: (amount: string) => `${amount} in cash is noted as not received.`,
  unpaidDone: 'Marked as unpaid.',
  refund: 'Refund the sender',
  refundQuestion: 'Refund the sender?',
  refundText: (amount: string) =>
    `${amount} goes back to the sender’s balance, and the package is unpaid.`,
  refunded: 'Refunded.',

  picker: {
    search: 'Search couriers',
    placeholder: 'Name, phone or vehicle',
    legend: 'Courier',
    none: 'No courier of this name.',
    nobody: 'There is no active courier with a complete profile.',
    count: (count: number) => (count === 1 ? '1 courier' : `${count} couriers`),
    more: (count: number) => `And ${count} more: type a name to find them.`,
    carries: (count: number) =>
      count === 0 ? 'Carries nothing now' : `Carries ${packages(count)} now`,
    choose: 'Choose who is to deliver it.',
    busy: 'Assigning...',
  },
} as const;
