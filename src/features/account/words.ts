/** What the account screens say: SPEC.md sections 2, 5 and 8. */
export const words = {
  title: 'Account',
  accountName: 'Account Name',
  back: 'Back',
  loading: 'Loading',
  personalInfo: 'Personal Info',
  security: 'Login & Security',
  changes: 'Changes',
  unsent: (count: number) => `${count} not sent yet`,
  refused: (count: number) => `${count} ${count === 1 ? 'needs' : 'need'} attention`,
  support: 'Support',
  promotion: 'Promotion',
  about: 'About',
  menu: 'Account menu',
  notGiven: 'Not given',
  waiting: 'Waiting to send',
  sending: 'Sending',
  toChanges: 'Go to Changes',
  attention: 'Needs attention',
  fields: {
    firstName: 'First Name',
    lastName: 'Last Name',
    email: 'Email',
    phoneNumber: 'Phone Number',
    address: 'Address',
  },
  optional: 'Optional',
  role: 'Role',
  roles: { Customer: 'User', Employee: 'Delivery Personnel', Admin: 'Admin' },
  editProfile: 'Edit Profile',
  userNotFound: 'User not found',
  edit: {
    title: 'Edit User',
    save: 'Save Changes',
    busy: 'Saving...',
    success: 'User updated successfully!',
    failure: 'Failed to update user',
    nothing: 'Nothing was changed.',
  },
  needsNetwork: 'This needs the network. Please try again when you are connected.',
  password: {
    open: 'Change Password',
    heading: 'Password',
    text: 'Other devices are signed out when you change it.',
    newPassword: 'New Password',
    confirm: 'Confirm Password',
    save: 'Save Password',
    cancel: 'Cancel',
    busy: 'Updating password...',
    success: 'Password updated successfully!',
    failure: 'Failed to update password',
  },
  signOut: {
    label: 'Log Out',
    busy: 'Logging Out...',
    success: 'Logged out successfully!',
    failure: 'Logout failed. Please try again.',
    questionTitle: 'Log out with unfinished changes?',
    waitingText: (count: number) =>
      count === 1
        ? '1 change has not been sent yet. It stays on this phone and is sent when you sign in here again.'
        : `${count} changes have not been sent yet. They stay on this phone and are sent when you sign in here again.`,
    attentionText: (count: number) =>
      count === 1
        ? '1 change was refused and needs your attention. It stays on this phone, under Changes, and is not sent by itself.'
        : `${count} changes were refused and need your attention. They stay on this phone, under Changes, and are not sent by themselves.`,
    stay: 'Stay signed in',
  },
} as const;

/** What is left undone at a log-out, each kind by its own sentence. */
export function signOutText({
  waiting,
  attention,
}: {
  waiting: number;
  attention: number;
}): string {
  return [
    waiting > 0 ? words.signOut.waitingText(waiting) : '',
    attention > 0 ? words.signOut.attentionText(attention) : '',
  ]
    .filter(Boolean)
    .join(' ');
}
