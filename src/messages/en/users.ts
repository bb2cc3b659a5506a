/** User screens. */
import type { Role } from '#contract/user.ts';
import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';

const people = (count: number) =>
  plural('en', count, { one: '1 user', other: `${count.toLocaleString('en-NG')} users` });

export const users = localized('users', {
  title: 'Users',
  back: 'Back',
  loading: 'Loading users',
  empty: 'No users found',
  otherWords: 'Try another name, email or phone number.',
  fewerFilters: 'Try fewer filters.',
  failed: 'An error occurred',
  retry: 'Retry',
  needsNetwork: 'You need an internet connection for this. Try again when you’re online.',
  notAllowed: 'You are not allowed to do this.',
  add: 'Add User',
  edit: 'Edit',
  editPerson: (name: string) => `Edit ${name}`,
  call: (name: string) => `Call ${name}`,
  you: 'You',
  count: (shown: number, all: number) =>
    shown === all ? people(all) : `${shown.toLocaleString('en-NG')} of ${people(all)}`,
  search: 'Search users',
  searchPlaceholder: 'Name, email or phone',
  clearSearch: 'Clear search',
  clear: 'Show all',
  filters: { role: 'Role', allRoles: 'All roles', state: 'Status', allStates: 'Any status' },
  states: { active: 'Active', deactivated: 'Deactivated' },
  roles: { Customer: 'User', Employee: 'Delivery Personnel', Admin: 'Admin' } satisfies Record<
    Role,
    string
  >,
  gaveBack: (count: number, days: number) => `Rejected ${count} in ${days} days`,
  noPhone: 'No phone number',
  available: (amount: string) => `${amount} available`,

  hints: {
    vehicle: 'For example: motorcycle, KMC 123 AB',
    initialPassword: 'At least 6 characters. Share it with them; they can change it later.',
  },
  chooseRole: 'Choose one',

  profile: {
    title: 'Profile',
    save: 'Save Changes',
    busy: 'Saving...',
    success: 'User updated successfully!',
    failure: 'Failed to update user',
    nothing: 'There are no changes to save.',
    newer: 'Someone else changed this profile.',
    takeNewer: 'Load latest',
  },
  conflict: {
    title: 'Someone else changed the same fields',
    text: 'Choose what it should be. Nothing has been saved yet.',
    mine: 'Mine',
    theirs: 'Theirs',
    nothing: 'None',
    save: 'Save my choice',
    keepTheirs: 'Keep theirs',
    kept: 'Kept their version.',
  },
  role: {
    title: 'Role',
    save: 'Save Role',
    changed: (role: string) => `Someone else changed the role to ${role}. Choose again.`,
    own: 'This is your own role. If you give up Admin, you can’t restore it yourself.',
  },
  balance: {
    title: 'Balance',
    open: 'Adjust Balance',
    amount: 'Amount in naira (₦)',
    amountHint: 'Use a minus sign, such as -500, to deduct.',
    reason: 'Reason',
    reasonHint: 'Shown in their history.',
    save: 'Adjust Balance',
    busy: 'Adjusting...',
    cancel: 'Cancel',
    success: (amount: string) => `The balance is now ${amount}.`,
    failure: 'Update failed',
    tooMuch: (missing: string) => `That exceeds their balance by ${missing}.`,
    again: 'No response. Try again; it will be applied only once.',
  },
  password: {
    title: 'Password',
    text: 'Setting a new password signs them out everywhere.',
    open: 'Set New Password',
    newPassword: 'New Password',
    show: 'Show password',
    confirm: 'Confirm Password',
    save: 'Save Password',
    busy: 'Updating password...',
    success: 'Password updated successfully!',
    failure: 'Failed to update password',
    cancel: 'Cancel',
  },
  account: {
    title: 'Account',
    activeText: (name: string) => `${name} can sign in and work.`,
    deactivatedText: (name: string) => `${name} cannot sign in. Their history is kept.`,
    deactivate: 'Deactivate',
    reactivate: 'Reactivate',
    busy: 'Working...',
    question: (name: string) => `Deactivate ${name}?`,
    ownQuestion: 'Deactivate your own account?',
    sessions: 'They are signed out on every phone and cannot sign in again.',
    ownSessions: 'You are signed out on every phone, this one too, and cannot sign in again.',
    carries: (count: number) =>
      count === 0
        ? 'They have no active deliveries.'
        : plural('en', count, {
            one: '1 package in transit will stay assigned to them. Reassign it first if another courier should deliver it.',
            other: `${count} packages in transit will stay assigned to them. Reassign them first if another courier should deliver them.`,
          }),
    cancel: 'Cancel',
    deactivated: (name: string) => `${name} has been deactivated.`,
    deleteFailure: 'Delete failed',
    updateFailure: 'Update failed',
  },
  create: {
    title: 'Add User',
    save: 'Add User',
    busy: 'Adding...',
    success: 'User added successfully!',
    failure: 'Update failed',
    coming: 'The user has been added. They’ll appear here once the list refreshes.',
    toList: 'Go to Users',
  },
} as const);
