import { localized } from '#messages/localized.ts';

export const notifications = localized('notifications', {
  title: 'Notifications',
  back: 'Back',
  loading: 'Loading',
  invitation: {
    courier: {
      title: 'Get notified about new packages',
      text: 'Get a notification when a package becomes available or is assigned to you, even when the app is closed.',
    },
    sender: {
      title: 'Follow your package',
      text: 'Get a notification when a courier accepts, delivers or drops your package, even when the app is closed.',
    },
    accept: 'Turn on',
    busy: 'Turning on...',
    dismiss: 'Not now',
  },
  state: {
    on: 'On for this device',
    off: 'Off for this device',
    text: 'You’ll get them on this device even when the app is closed. They show no names, addresses or phone numbers.',
    turnOn: 'Turn on notifications',
    turnOff: 'Turn off notifications',
    busy: 'One moment...',
  },
  unsupported:
    'This browser cannot show notifications. The app shows what is new whenever you open it.',
  install:
    'On an iPhone or iPad, notifications need the app on the Home Screen: tap Share, then Add to Home Screen, and open Kaya from there.',
  blocked: {
    title: 'Blocked in the browser',
    text: 'Notifications from Kaya are blocked. To allow them:',
    check: 'Check again',
    still: 'Still blocked. Allow notifications in the browser first.',
    open: {
      phone: {
        browser: 'Tap the icon next to the address.',
        app: 'Hold Kaya’s icon among your apps and open App info.',
      },
      desk: {
        browser: 'Click the icon next to the address.',
        app: 'Open the menu at the top of this window and choose App info.',
      },
    },
    allow: {
      phone: 'Choose Permissions or Notifications, and allow them.',
      desk: 'In the site’s settings, allow notifications.',
    },
    comeBack: 'Come back here.',
  },
  none: 'Admins don’t receive notifications.',
  kindsTitle: 'Tell me when',
  kinds: {
    newPackage: 'A new package is available',
    assigned: 'A package is assigned to me',
    accepted: 'A courier accepts my package',
    delivered: 'My package is delivered',
    rejected: 'A courier drops my package',
  },
  saved: 'Saved.',
  turnedOn: 'Notifications are on.',
  turnedOff: 'Notifications are off.',
  needsNetwork: 'You need an internet connection for this. Try again when you’re online.',
  failed: 'Couldn’t change notifications. Please try again.',
  noService:
    'Couldn’t reach the browser’s notification service. Please try again on a better connection.',
} as const);
