/** Account screens. */

import { productName } from '#contract/version.ts';
import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';

const unsent = (count: number) =>
  plural('en', count, {
    one: '1 change has not been sent yet. It stays on this device and will be sent the next time you sign in here.',
    other: `${count} changes have not been sent yet. They stay on this device and will be sent the next time you sign in here.`,
  });

const refused = (count: number) =>
  plural('en', count, {
    one: '1 change was refused and needs your attention. It stays on this device, under Changes, until you decide what to do with it.',
    other: `${count} changes were refused and need your attention. They stay on this device, under Changes, until you decide what to do with them.`,
  });

/** Numbers of items that a log-out would delete. */
interface Unsent {
  photo: number;
  signature: number;
  form: number;
}

const deleted = ({ photo, signature, form }: Unsent): string => {
  const count = photo + signature + form;
  if (count === photo) {
    return plural('en', count, {
      one: 'Log out and delete 1 photo that wasn’t sent?',
      other: `Log out and delete ${count} photos that weren’t sent?`,
    });
  }
  if (count === signature) {
    return plural('en', count, {
      one: 'Log out and delete 1 signature that wasn’t sent?',
      other: `Log out and delete ${count} signatures that weren’t sent?`,
    });
  }
  if (count === form) {
    return plural('en', count, {
      one: 'Log out and delete 1 form that wasn’t sent?',
      other: `Log out and delete ${count} forms that weren’t sent?`,
    });
  }
  return plural('en', count, {
    one: 'Log out and delete 1 thing that wasn’t sent?',
    other: `Log out and delete ${count} photos, signatures and forms that weren’t sent?`,
  });
};

export const account = localized('account', {
  title: 'Account',
  accountName: 'Account Name',
  back: 'Back',
  loading: 'Loading',
  personalInfo: 'Personal Info',
  security: 'Login & Security',
  users: 'Users',
  payment: 'Payment',
  sent: 'Packages I sent',
  notifications: 'Notifications',
  changes: 'Changes',
  unsent: (count: number) => `${count} not sent yet`,
  refused: (count: number) =>
    plural('en', count, { one: '1 needs attention', other: `${count} need attention` }),
  support: 'Support',
  toPackages: 'Go to your packages',
  comingSoon: 'Coming Soon ...',
  placeholders: {
    support: {
      title: 'Support',
      text: 'Help and ways to reach us will be here. To call someone or report a problem, open the package.',
    },
    promotion: { title: 'Promotion', text: 'Discounts and special offers will be here.' },
    about: { title: 'About', text: `What ${productName} is and who runs it will be here.` },
  },
  promotion: 'Promotion',
  about: 'About',
  menu: 'Account menu',
  companyMenu: `About ${productName}`,
  display: 'Display',
  sunMode: 'Sun mode',
  sunModeHint: 'Highest contrast and larger text, for reading in sunlight.',
  notGiven: 'Not provided',
  waiting: 'Waiting to send',
  sending: 'Sending',
  attention: 'Needs attention',
  role: 'Role',
  roles: { Customer: 'User', Employee: 'Delivery Personnel', Admin: 'Admin' },
  editProfile: 'Edit Profile',
  userNotFound: 'User not found',
  userFailed: 'An error occurred',
  retry: 'Retry',
  edit: {
    title: 'Edit User',
    save: 'Save Changes',
    busy: 'Saving...',
    nothing: 'There are no changes to save.',
  },
  needsNetwork: 'You need an internet connection for this. Try again when you’re online.',
  password: {
    open: 'Change Password',
    heading: 'Password',
    text: 'Changing your password signs you out on all other devices.',
    newPassword: 'New Password',
    hint: 'At least 6 characters.',
    show: 'Show password',
    confirm: 'Confirm Password',
    save: 'Save Password',
    cancel: 'Cancel',
    busy: 'Updating password...',
    success: 'Password updated successfully!',
    failure: 'Failed to update password',
    unknown:
      'No answer came, so we don’t know whether your password was changed. Check your connection and save it again.',
  },
  devices: {
    title: 'Devices',
    thisOne: 'This device',
    lastSeen: (when: string) => `Last seen ${when}`,
    end: (device: string) => `Log out ${device}`,
    question: (device: string) => `Log out ${device}?`,
    consequence: 'It needs your password to get back in. What it hasn’t sent stays on it.',
    keep: 'Keep it',
    ended: (device: string) => `${device} is logged out.`,
    failure: 'That didn’t work. Wait a minute, then try again.',
    notLoaded: 'Your devices can’t be shown now.',
  },
  confirmEmail: {
    title: 'Confirm your email',
    text: (email: string) =>
      `So that a new password can reach you if you forget yours. We’ll send a link to ${email}.`,
    send: 'Send link',
    busy: 'Sending...',
    sent: (email: string) => `A link is on its way to ${email}. It works for 7 days.`,
    failure: 'That didn’t work. Wait a minute, then try again.',
  },
  signOut: {
    label: 'Log Out',
    busy: 'Logging Out...',
    success: 'Logged out successfully!',
    here: 'Logged out on this device. We’ll end the session on the server when you’re back online.',
    failure: 'Logout failed. Please try again.',
    questionTitle: 'Log out with unfinished changes?',
    text: ({ waiting, attention }: { waiting: number; attention: number }) =>
      [waiting > 0 && unsent(waiting), attention > 0 && refused(attention)]
        .filter(Boolean)
        .join(' '),
    stay: 'Stay signed in',
    deletes: {
      title: deleted,
      text: 'This work is only on this phone. Finish it first to send it.',
      confirm: 'Delete and log out',
      stay: 'Keep me signed in',
    },
  },
} as const);
