import type { RouteName } from '#contract/routes.ts';

const changes =
  'Omit `since` for the plain list. To sync, start with an empty `since=` and continue with the `Sync-Cursor` of each response, immediately while `Sync-More` is true. Rows deleted or no longer visible to you come as `{ _id, removed: true }`. `Sync-Reset: true` starts a full list: after its last page, delete the rows it did not contain.';

/** The summary of each operation. */
export const operationSummaries: Record<RouteName, string> = {
  signUp: 'Register as a sender (Customer) or a courier (Employee)',
  login: 'Sign in',
  logout: 'End this session',
  refresh: 'Exchange the refresh cookie for a new access token',
  forgotPassword: 'Mail a link to set a new password, if there is such an account',
  resetPassword: 'Set a new password with the token of a mailed link',
  confirmEmail: 'Confirm an e-mail with the token of a mailed link',
  sendConfirmation: 'Mail the caller another link to confirm their e-mail',
  listSessions: 'Where the caller is signed in, the last used first',
  endSession: 'Sign one of these devices out',
  listUsers: 'The users visible to the caller, or their changes',
  addUser: 'Add a user (admins)',
  patchUser: "Change a profile or password; admins also any user's roles and active flag",
  deleteUser: 'Deactivate a user (admins)',
  adjustBalance: "Adjust a user's available balance, with a reason (admins)",
  listPackages: 'The packages visible to the caller, newest first, or their changes',
  getPackage: 'One package',
  createPackage: 'Create a package',
  patchPackage: 'Edit, accept, reject, deliver, cancel or pay a package',
  listEvents: 'What happened to a package last, oldest first, in pages',
  recordEvent: 'Record a step of a delivery',
  openDispute: 'Dispute a delivery or return, within 24 hours of its end',
  resolveDispute: 'Decide a dispute and what becomes of the money held (admins)',
  putProof: 'Store a photo or signature (who recorded it)',
  replaceTracking: 'Replace the link of the recipient’s page; the one before ends',
  getTracking: 'What a recipient sees of their package; 410 once the link has ended',
  leaveNote: 'Tell the courier: another time, a safe place or another person',
  trackedPhoto: 'A photo of the delivery',
  putPosition: 'Share where this courier is, for ten minutes',
  deletePosition: 'No longer share it',
  listPositions: 'Where the couriers are who share it (admins)',
  textWebhook: "The provider's report on a text message",
  getProof: 'A photo or signature',
  deletePackage: 'Delete a package without a courier',
  initiatePayment: "Start a top-up: the URL of the provider's page and the reference",
  verifyPayment: 'Check the outcome of a top-up; credits it once',
  paymentWebhook: "The provider's report of a successful charge",
  listPayments: "The caller's balances and payment history, newest first",
  listPayouts: "A courier's bank account, fees and newest payouts",
  createPayout: 'Pay out to the bank account, from the available balance',
  listBanks: 'The banks that payouts can go to',
  resolveBank: 'Whose bank account this is',
  putBankAccount: 'Set the bank account that payouts go to',
  pushOffer: 'The key for push subscriptions, and the kinds of notification for the caller',
  putPush: 'Subscribe this device to these kinds, until this session ends',
  deletePush: 'Unsubscribe this device',
};

export const operationNotes: Partial<Record<RouteName, string>> = {
  signUp: 'Opens a session: an access token for 15 minutes, and the refresh cookie.',
  login:
    '`trustDevice` keeps the session for 30 days of use instead of the browser session. An access token lives for 15 minutes.',
  refresh:
    'Each use replaces the cookie. A used cookie stays valid for 30 seconds, and for a day if its successor was never stored (the response may have been lost); any later use ends the session. Two refresh cookies in one request are refused with `session_unclear`, which ends no session.',
  forgotPassword:
    'The same answer after the same time for every e-mail. Five mails an hour to one e-mail; more are accepted and not sent. The link is `/reset-password#token=…`, lives for 30 minutes and ends the one before it.',
  resetPassword:
    'Ends all sessions of the account, and confirms the e-mail. A token that was used, has expired, was replaced, never existed or is for a former e-mail is a 410 `link_used`.',
  confirmEmail:
    'The link is `/confirm-email#token=…` and lives for seven days. Refused as for `resetPassword`.',
  sendConfirmation: 'Sends nothing if it is confirmed already, and at most five an hour.',
  listSessions:
    '`device` is read from the User-Agent of the login or last refresh; `lastSeenAt` is when this device last took an access token, so up to 15 minutes old while in use.',
  endSession: 'Also the caller’s own. One of another user or that has ended is a 404.',
  listUsers: `For the caller and admins, \`emailConfirmed\` says whether a link to the e-mail was opened. Admins see all users; others see themselves and users they share a package with. For admins, \`givenBackAt\` lists when a courier gave accepted packages back: the last hundred times, newest first. ${changes}`,
  listPackages: `Senders see their own packages, couriers those on offer and those assigned to them, admins all. Contacts are withheld from couriers until they accept. ${changes} \`GET /api/events?rows=1\` sends changes as they happen.`,
  patchUser:
    "With `baseVersion`, editing a field that another writer has changed since is a 409 `conflict` with the current user (`Kaya-Outbox` identifies writers). A password change ends the user's other sessions; changing your own returns a new refresh cookie for this session and voids earlier ones. A retry with the same key sets the cookie again.",
  createPackage:
    "With your own `_id` (a UUID) you can refer to the package before the response arrives. With `paymentMethod` 'app' the price is held if the sender's balance covers it; otherwise the package is unpaid.",
  patchPackage:
    "`deliveryStatus` is 'Pending', 'In Transit', 'Delivered' or 'Cancelled'. A courier accepts with their own id as `deliveryPersonId` and 'In Transit', rejects with null and 'Pending', delivers with 'Delivered'; 409 `too_many_carried` means they carry the maximum, 429 that they accepted too many this hour. A sender cancels with 'Cancelled'. `paymentStatus` 'paid' holds the price of an app package from the sender's balance (402 `insufficient_funds` contains the missing amount), or records that cash was received; 'unpaid' reverts it. With `baseVersion`, editing a field that another writer has changed since is a 409 `conflict` with the current package (`Kaya-Outbox` identifies writers); so is accepting if the price, payment method, an address, a pin or a date has changed since. `handover` 'code' has the recipient give a code; `dropoffCode`, `returnCode` and `dropoffToken` are for sender and admins, all others get `dropoffTokenHash`. `pickupLocation` and `deliveryLocation` are map pins, rounded to 6 decimals; null removes one.",
  listEvents:
    'The newest 50. For those before them, ask with `before`, the `seq` of the first one; fewer than 50 are the first of all. For the sender, admins, and the assigned courier from their assignment on. `effectiveAt` is when it happened by the server’s clock; `timeTrust` is low if the phone’s clock was more than five minutes off, or the event waited longer than six hours. `text`, for the sender and admins, is what became of the text message to the recipient and since when; of one that waits, when it goes out.',
  recordEvent:
    "For the assigned courier: 'picked_up', 'arrived', 'attempt_failed' with a `reason`, 'return_started' after a failed attempt, 'delivered' and 'returned'. With `handover` 'code' a courier's 'delivered' needs in `proof` the `code`, the `qr` token, or `photoIds` with `recipientName` and `relation` (422 `proof_required`); a courier's 'returned' needs the sender's `code`. A wrong one is a 422 `wrong_code` with `triesLeft`; after five, 409 `code_locked`. A picture that another event of the package names is a 409 `id_taken`; other types take no `proof`. The sender and admins deliver and end a return without a proof; the sender vouches for a delivery with 'confirmed'; an admin hands a package over with 'handover' and `courierId`. 'corrected' takes back the last step, named by `corrects`: by who made it within ten minutes (409 `too_late`), an admin later too. `_id` is your own (a UUID); send it as the Idempotency-Key too, and your clock as `Sent-At`. A step that the package is not at is a 409 `invalid_state`; so many that nobody needs them in an hour are a 409 `too_many_steps`. After the pick-up a courier cannot reject any more: 409 `picked_up`.",
  putProof:
    'Who recorded an event stores the bytes of what it names in `photoIds` or `signatureId`; the courier who has the package before it, too. Forty of one person and package, then 409 `invalid_state`. At most 400 kB and 4096 pixels a side; what the bytes are decides, and metadata is removed. The same bytes again are the same 200; others under this id are a 409 `id_taken`, and bytes that are not those of the digest a 400 `picture_damaged`. Kept for `PROOF_DAYS`, longer while there is an open dispute. While they cannot be stored: 503 `pictures_unavailable`, and nothing is kept.',
  getProof:
    'For the sender, the courier and admins. 404 once it is too old, with `picture_missing` if its bytes were lost or changed.',
  openDispute:
    'For the sender and the courier of a delivered or returned package, within 24 hours of its end; after that 409 `too_late`. One is open at a time (409 `disputed`); what is still held for the package stays held until an admin decides. `_id` is your own (a UUID); send it as the Idempotency-Key too.',
  resolveDispute:
    '`release` pays what is held to the courier, `refund` returns it to the sender, `split` gives the courier `courierPercent` of it. After the courier was paid the decision is recorded and moves nothing.',
  replaceTracking:
    'For the sender and admins, until the package has ended. `trackingPath` of the package is the new link; a drop-off code is replaced with it.',
  getTracking:
    'For anyone with the token of the link; `/t/{token}` is the page. `position` is rounded to 100 m and at most ten minutes old. A link ends 24 hours after its package, or when it is replaced: 410 `link_ended`. Unknown tokens are counted against their network (429). `GET /api/track/{token}/events` sends the changing part of the page as HTML, as it changes.',
  leaveNote:
    'Until the package is delivered or on its way back, at most ten times (409 `invalid_state`). The same note again changes nothing.',
  trackedPhoto: 'Of the delivery, from its upload until the link ends.',
  adjustBalance: "A negative `amount` debits. The reason appears in the user's payment history.",
  initiatePayment:
    'Send the payer to `authorization_url`. The provider sends them back to `/deposit?reference=…`; then verify.',
  verifyPayment:
    'Asks the provider. The top-up is credited at most once, regardless of repeated calls and the webhook.',
  paymentWebhook:
    'For the provider: register this URL as its webhook, for charges and transfers. Idempotent.',
  textWebhook:
    'For the provider of text messages: register this URL as its webhook. Idempotent. `X-Termii-Signature` is the HMAC SHA-512 of the body in hex.',
  listPayments: 'Newest first; `before` is the number of the last entry you have.',
  listPayouts:
    "For couriers. `status`: pending, until the bank has it; paid; returned, with amount and fee back in the balance. What was paid may still come back. `expectedBy` is the usual time. The account's number is never sent back in full.",
  createPayout:
    'For couriers. `amount` arrives; the fee of `fees` comes on top (402 `insufficient_funds`). 409 `no_bank_account`; 409 `account_waiting` before `usableFrom` of the account. The answer is always pending: list again to see its end.',
  listBanks: 'For couriers. By name.',
  resolveBank:
    'For couriers. 422 `account_unknown` if the bank does not know it. At most 30 times an hour.',
  putBankAccount:
    'For couriers, with their password (401 `wrong_password`). 422 `account_unknown` if the bank does not know it. Another account than before waits `PAYOUT_WAIT_HOURS` for its first payout: `usableFrom`.',
  pushOffer:
    '`publicKey` is the applicationServerKey of PushManager.subscribe. Admins get no notifications.',
  putPosition:
    'Couriers only, and only while they carry a package (else 409 `invalid_state`). Kept until the next one, for ten minutes at most. Dispatchers see it; the recipient of a package sees it rounded to about 100 m, from the pick-up until the delivery.',
  putPush:
    "The endpoint and keys of a browser's PushSubscription. A second call with the same endpoint replaces the first. `area` limits `newPackage` only; packages without a pin match every area.",
};

export const parameterNotes: Record<string, string> = {
  area: "For couriers: 'lat,lng,km', such as '12,8.52,10', rounded to 0.01 degrees. Offers picked up elsewhere are left out; their own packages and those without a pin always come. A cursor belongs to its area.",
  rows: "'1' for a stream that carries changed packages.",
  streamed:
    'The `to` of the last batch of the event stream that you have applied since the cursor.',
  since: 'A Sync-Cursor; empty to start; absent for the plain list.',
  id: 'A UUID.',
  disputeId: 'The `_id` of the open dispute.',
  limit: 'Entries per page, 1 to 100.',
  before: 'Only entries before this one.',
  token: 'The 22 characters of the link.',
  photoId: 'Of `photoIds`.',
  bankCode: 'A `code` of `GET /api/payouts/banks`.',
  accountNumber: 'Ten digits.',
  reference: 'Of a top-up, from the response of `initiate`.',
};
