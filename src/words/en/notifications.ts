/** Notifications: the card that offers them and their screen. */

export const notifications = {
  title: 'Notifications',
  back: 'Back',
  loading: 'Loading',
  invitation: {
    courier: {
      title: 'Hear of new packages',
      text: 'Get a notification when a package is on offer or assigned to you, also while the app is closed.',
    },
    sender: {
      title: 'Follow your package',
      text: 'Get a notification when a courier accepts, delivers or gives back your package, also while the app is closed.',
    },
    accept: 'Turn on',
    busy: 'Turning on...',
    dismiss: 'Not now',
  },
  state: {
    on: 'On for this phone',
    off: 'Off for this phone',
    text: 'They come to this phone also while the app is closed. They show no names, addresses or phone numbers.',
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
    text: 'Notifications from Kaya are blocked. To allow them, tap the sign beside the address (in the installed app: hold its icon and open App info), choose Permissions or Notifications, allow them, and come back here.',
  },
  none: 'There are no notifications for admins.',
  kindsTitle: 'Tell me when',
  kinds: {
    newPackage: 'A new package is on offer',
    assigned: 'A package is assigned to me',
    accepted: 'A courier accepts my package',
    delivered: 'My package is delivered',
    rejected: 'A courier gives my package back',
  },
  area: {
    title: 'Area',
    legend: 'New packages from',
    everywhere: 'Everywhere',
    within: (km: number) => `Within ${km} km`,
    note: 'Around where you are now. The place is rounded to about a kilometre and kept; it does not follow you.',
    renew: 'Use where I am now',
    failed: 'Your position could not be read, so the area stays as it was.',
  },
  saved: 'Saved.',
  turnedOn: 'Notifications are on.',
  turnedOff: 'Notifications are off.',
  needsNetwork: 'This needs the network. Please try again when you are connected.',
  failed: 'Notifications could not be changed. Please try again.',
  noService:
    "The browser's notification service could not be reached. Please try again with a better network.",
} as const;
