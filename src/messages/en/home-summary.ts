/** Summaries of packages on Home, below its cards. */
import type { PaymentMethod } from '#contract/package.ts';
import { localized } from '#messages/localized.ts';
import { plural } from '#messages/plural.ts';

export const homeSummary = localized('homeSummary', {
  profile: 'Finish your profile',
  profileText: 'Couriers and senders need your name and phone number.',
  seeAll: 'See all',
  underWay: (count: number) => `Under way · ${count}`,
  /** The name last: it may be cut off. */
  sendLink: (recipient: string) => `Send the link to ${recipient}`,
  /** The no-break space keeps the name's first word on the same line. */
  to: (whom: string) => `To\u00a0${whom}`,
  from: (name: string) => `From\u00a0${name}`,
  /** 'Pickup today 10:15'. */
  due: (stop: string, when: string) =>
    `${stop} ${when.replace(/^(Today|Tomorrow|Yesterday)/, (day) => day.toLowerCase())}`,
  sendAgain: 'Send again',
  newPackage: 'New package',
  nothing: 'Packages that you send appear here.',
  today: 'Today',
  delivered: (count: number) =>
    plural('en', count, { one: '1 delivery', other: `${count} deliveries` }),
  paidBy: { cash: 'in cash', app: 'in the app' } satisfies Record<PaymentMethod, string>,
  afterwards: (count: number) => `Later stops · ${count}`,
  sameStop: 'Also at the next stop',
  anyTime: 'Any time',
  nearest: 'Nearest offers',
  newest: 'Newest offers',
  moreOffers: 'More offers',
  noOffers: 'No packages are available right now.',
  unassigned: 'Unassigned',
  late: 'Late',
  inTransit: 'In transit',
  problems: (count: number) => plural('en', count, { one: 'Problem', other: 'Problems' }),
  assign: 'Assign',
  urgent: 'Needs you first',
  couriers: 'Couriers',
} as const);
