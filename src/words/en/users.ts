/** What the screens about people say: SPEC.md sections 2, 5 and 8. */
import type { Role } from '#contract/user.ts';

const people = (count: number) =>
  count === 1 ? '1 user' : `${count.toLocaleString('en-NG')} users`;

export const users = {
  title: 'Users',
  back: 'Back',
  loading: 'Loading users',
  empty: 'No users found',
  failed: 'An error occurred',
  needsNetwork: 'This needs the network. Please try again when you are connected.',
  notAllowed: 'You are not allowed to do this.',
  add: 'Add User',
  edit: 'Edit',
  editPerson: (name: string) => `Edit ${name}`,
  call: (name: string) => `Call ${name}`,
  you: 'You',
  count: (shown: number, all: number) =>
    shown === all ? people(all) : `${shown.toLocaleString('en-NG')} of ${people(all)}`,
  search: 'Search users',
  searchPlaceholder: 'Name, e-mail or phone',
  clearSearch: 'Clear search',
  clear: 'Show all',
  filters: { role: 'Role', allRoles: 'All roles', state: 'Status', allStates: 'Any status' },
  states: { active: 'Active', deactivated: 'Deactivated' },
  roles: { Customer: 'User', Employee: 'Delivery Personnel', Admin: 'Admin' } satisfies Record<
    Role,
    string
  >,
  noPhone: 'No phone number',
  noEmail: 'No e-mail shown',
  available: (amount: string) => `${amount} available`,

  fields: {
    role: 'Role',
    roles: 'Role',
    active: 'Status',
    firstName: 'First Name',
    lastName: 'Last Name',
    email: 'Email',
    phoneNumber: 'Phone Number',
    address: 'Address',
    vehicle: 'Vehicle',
    password: 'Password',
  },
  hints: {
    optional: 'Optional',
    vehicle: 'Optional. For example: motorcycle, KMC 123 AB',
    initialPassword: 'At least 6 characters. Tell it to them; they can change it.',
  },
  chooseRole: 'Choose one',

  profile: {
    title: 'Profile',
    save: 'Save Changes',
    busy: 'Saving...',
    success: 'User updated successfully!',
    failure: 'Failed to update user',
    nothing: 'Nothing was changed.',
    newer: 'Somebody else has changed this profile in the meantime.',
    takeNewer: 'Show it as it is now',
  },
  conflict: {
    title: 'Somebody else changed the same',
    text: 'Choose what it should be. Nothing has been saved yet.',
    mine: 'Mine',
    theirs: 'Theirs',
    nothing: 'Nothing',
    save: 'Save my choice',
    keepTheirs: 'Keep theirs',
    kept: 'Theirs was kept.',
  },
  role: {
    title: 'Role',
    save: 'Save Role',
    changed: (role: string) => `Somebody else made it ${role} in the meantime. Choose again.`,
    own: 'This is your own role. Without Admin you cannot take it back yourself.',
  },
  balance: {
    title: 'Balance',
    open: 'Adjust Balance',
    amount: 'Amount in naira (₦)',
    amountHint: 'With a minus, such as -500, it is taken away.',
    reason: 'Reason',
    reasonHint: 'They see it in their history.',
    save: 'Adjust Balance',
    busy: 'Adjusting...',
    cancel: 'Cancel',
    success: (amount: string) => `The balance is now ${amount}.`,
    failure: 'Update failed',
    tooMuch: (missing: string) => `That is ${missing} more than they have. Take less.`,
    again: 'No answer came. Press again: it is counted only once.',
  },
  password: {
    title: 'Password',
    text: 'They are signed out everywhere when you set a new one.',
    open: 'Set New Password',
    newPassword: 'New Password',
    confirm: 'Confirm Password',
    save: 'Save Password',
    busy: 'Updating password...',
    success: 'Password updated successfully!',
    failure: 'Failed to update password',
    cancel: 'Cancel',
  },
  account: {
    title: 'Account',
    activeText: 'Can sign in and work.',
    deactivatedText: 'Cannot sign in. What they did stays.',
    deactivate: 'Deactivate',
    reactivate: 'Reactivate',
    busy: 'Working...',
    question: (name: string) => `Deactivate ${name}?`,
    ownQuestion: 'Deactivate your own account?',
    sessions: 'They are signed out on every phone and cannot sign in again.',
    ownSessions: 'You are signed out on every phone, this one too, and cannot sign in again.',
    carries: (count: number) =>
      count === 0
        ? 'They carry no package just now.'
        : count === 1
          ? '1 package in transit stays with them. Reassign it first if somebody else is to deliver it.'
          : `${count} packages in transit stay with them. Reassign them first if somebody else is to deliver them.`,
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
    coming: 'The user has been added. They appear here as soon as the list is up to date.',
    toList: 'Go to Users',
  },
} as const;
