/** What the Changes screen says, and why something was refused: SPEC.md section 8, DESIGN.md 5. */
import type { Operation, OperationName } from '#domain/operation.ts';
import { names } from './operation-names.ts';

export const words = {
  title: 'Changes',
  back: 'Back',
  loading: 'Loading changes',
  empty: 'Everything has been sent.',
  intro: 'Changes made on this phone that the server has not confirmed yet.',
  names,
  waiting: 'Waiting to send',
  attention: 'Needs attention',
  sending: 'Sending',
  made: 'Made',
  tries: 'Tries',
  triedTimes: (count: number) => (count === 1 ? '1 try' : `${count} tries`),
  lastError: 'Last error',
  reason: 'What happened',
  lastTry: 'Last try',
  advice: 'What you can do',
  isNext: 'Next to be sent',
  behind: (name: string) => `After “${name}”`,
  package: 'Package',
  lostPackage: 'No longer on this phone: it was removed, or is no longer yours to see.',
  copy: 'Copy details',
  copied: 'Details copied',
  notCopied: 'This phone did not let the details be copied.',
  view: 'View package',
  retry: 'Retry',
  edit: 'Edit',
  discard: 'Discard',
  withdraw: 'Do not send',
  profile: 'Update Profile',
  choice: {
    title: 'Mine or theirs',
    mine: 'Mine',
    theirs: 'Theirs',
    asItIs: 'Leave as it is',
    onlyMine: 'Only you changed this.',
    send: 'Send my choice',
    keepTheirs: 'Keep theirs',
    kept: 'Theirs was kept.',
    same: 'By now the server has exactly what you wanted.',
  },
  sendNow: 'Send now',
  discardQuestion: {
    title: 'Discard this change?',
    text: 'It will not be sent, and changes that build on it are discarded too.',
    keep: 'Keep it',
  },
  quarantine: {
    title: 'Unknown change',
    badge: 'Not readable',
    text: 'Saved by another version of Kaya. It will be looked at again after an update.',
    since: 'Since',
    discardText: 'It will not be sent, also not after an update.',
  },
  storage: {
    kept: 'This phone keeps Kaya’s data until you remove it.',
    mayBeCleared: 'This phone may clear Kaya’s data when it runs out of space.',
    clearedAfterAWeek:
      'Safari clears what Kaya keeps after 7 days without a visit. Add Kaya to the Home Screen to keep unsent changes.',
    none: 'This browser keeps nothing: changes are lost if you close Kaya before they are sent.',
  },
  failed: 'That did not work. Please try again.',
} as const;

/** What is said when the server has confirmed an operation, however late: SPEC.md section 8. */
export const successes: Record<OperationName, string> = {
  createPackage: 'Package created successfully!',
  editPackage: 'Package updated successfully!',
  acceptPackage: 'Delivery accepted!',
  rejectDelivery: 'Delivery rejected successfully',
  deliverPackage: 'Package marked as delivered!',
  deletePackage: 'Package deleted successfully',
  editProfile: 'User updated successfully!',
};

export const severalSent = (count: number) => `${count} changes sent`;

const pleaseTryAgain = 'Please try again';

/** The toast for a refused operation, in the specification's words. */
export function refusalOf(operation: Operation): string {
  const reason = operation.lastError?.message ?? '';
  const code = operation.lastError?.code ?? '';
  switch (operation.name) {
    case 'createPackage':
      return 'Failed to create package. Please try again.';
    case 'acceptPackage':
      return code === 'already_assigned' || code === 'profile_incomplete'
        ? reason
        : 'Failed to accept package. Please try again.';
    case 'rejectDelivery':
      return `Failed to reject delivery: ${reason || pleaseTryAgain}`;
    case 'deletePackage':
      return `Failed to delete package: ${reason || pleaseTryAgain}`;
    case 'deliverPackage':
    case 'editPackage':
      return reason ? `Update failed: ${reason}` : 'Update failed';
    case 'editProfile':
      return reason || 'Failed to update user';
  }
}
