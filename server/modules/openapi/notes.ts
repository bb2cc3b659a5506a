import type { RouteName } from '#contract/routes.ts';

const changes =
  'Leave `since` out for the plain list. To follow it, begin with an empty `since=` and go on with the `Sync-Cursor` of each answer, immediately while `Sync-More` is true. Rows that are gone, or no longer yours to see, come as `{ _id, removed: true }`. Where `Sync-Reset` is true a full list begins: at its last page, what it did not name is gone.';

export const operationNotes: Partial<Record<RouteName, string>> = {
  signUp: 'Opens a session: an access token for 15 minutes, and the refresh cookie.',
  login:
    '`trustDevice` keeps the session for 30 days of use instead of the browser session. An access token lives for 15 minutes.',
  refresh:
    'Each use trades the cookie for a new one. A used one is good for another 30 seconds, and for a day while nothing made of it was kept (the reply may have been lost); after that its use ends the session. Two refresh cookies in one request are refused with `session_unclear`, which ends nothing.',
  listUsers: `Admins see everybody, others themselves and whom they share a package with. Admins also see in \`givenBackAt\` when a courier gave an accepted package back: the last hundred times, newest first. ${changes}`,
  listPackages: `Senders see their own, couriers what is on offer and what they carry, admins all. Contacts are withheld from couriers until they have accepted. ${changes}`,
  patchUser:
    "A `baseVersion` makes an edit of a field that another has changed since a 409 `conflict` with the user as they are (`Kaya-Outbox` says who is another). A changed password ends the user's other sessions; of one's own, the answer carries the refresh cookie with which this one goes on, and those from before are void. A repetition under the same key sets the cookie again.",
  createPackage:
    "An `_id` of your own (a UUID) lets you speak of the package before it is answered. With `paymentMethod` 'app' the price is held where the sender's balance covers it; else the package is unpaid.",
  patchPackage:
    "`deliveryStatus` is 'Pending', 'In Transit', 'Delivered' or 'Cancelled'. A courier accepts with their own id as `deliveryPersonId` and 'In Transit', rejects with null and 'Pending', delivers with 'Delivered'; 409 `too_many_carried` says that they carry all they may, 429 that they accepted too many this hour. A sender cancels with 'Cancelled'. `paymentStatus` 'paid' holds the price of an app package from the sender's balance (402 `insufficient_funds` says what is missing), or says that cash was received; 'unpaid' takes it back. A `baseVersion` makes an edit of a field that another has changed since a 409 `conflict` with the package as it is (`Kaya-Outbox` says who is another); so it does an accept where the price, the method of payment, an address, a pin or a date was changed since. `pickupLocation` and `deliveryLocation` are pins on the map, rounded to 6 decimals; null takes one away.",
  adjustBalance: '`amount` below zero takes. The reason is in the history of the user.',
  initiatePayment:
    'Send the payer to `authorization_url`. The provider sends them back to `/deposit?reference=…`; then verify.',
  verifyPayment:
    'Asks the provider and credits at most once, however often it is asked and whatever the webhook did.',
  paymentWebhook:
    'For the provider: enter this address as its webhook. A repeat credits nothing again.',
  listPayments: 'Newest first; `before` is the number of the last entry that you have.',
  pushOffer:
    '`publicKey` is the applicationServerKey of PushManager.subscribe. Admins are notified of nothing.',
  putPush:
    "The endpoint and keys of a browser's PushSubscription. A second call with the same endpoint replaces the first. `area` is about `newPackage` alone; packages whose place is not known are told of everywhere.",
};

export const parameterNotes: Record<string, string> = {
  since: 'A Sync-Cursor; empty to begin; absent for the plain list.',
  id: 'A UUID.',
  limit: 'Entries of a page, 1 to 100.',
  before: 'Only what came before this entry.',
  reference: 'Of a top-up, as `initiate` answered it.',
};
