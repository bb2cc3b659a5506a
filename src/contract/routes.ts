/**
 * The API calls, from which the server's routes, the client's paths and /api/docs derive. Mutations
 * with a bearer token accept an Idempotency-Key.
 */
import * as v from 'valibot';
import { loginSchema, sessionSchema, signUpAnswerSchema, signUpSchema } from './auth.ts';
import { packagesQuerySchema, removedSchema, sinceSchema, userListSchema } from './delta.ts';
import { openDisputeSchema, resolveDisputeSchema } from './dispute.ts';
import { packageEventsSchema, recordEventSchema } from './event.ts';
import { idSchema } from './fields.ts';
import {
  createPackageSchema,
  packageListSchema,
  packageSchema,
  patchPackageSchema,
} from './package.ts';
import {
  initiatedPaymentSchema,
  initiatePaymentSchema,
  paymentsQuerySchema,
  paymentsSchema,
  referenceSchema,
  verifiedPaymentSchema,
} from './payment.ts';
import { placedSchema, positionsSchema } from './position.ts';
import { pictureTypes, storedProofSchema } from './proof.ts';
import { endPushSchema, pushOfferSchema, pushSubscriptionSchema } from './push.ts';
import { leaveNoteSchema, trackingSchema, trackingTokenSchema } from './tracking.ts';
import {
  addUserSchema,
  adjustBalanceSchema,
  deleteUserSchema,
  patchUserSchema,
  userSchema,
} from './user.ts';

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  proof: 'none' | 'cookie' | 'bearer' | 'signature';
  summary: string;
  params?: v.GenericSchema;
  query?: v.GenericSchema;
  body?: v.GenericSchema;
  /** Media types of a body that is bytes. */
  takes?: readonly string[];
  /** Media types of an answer that is bytes; `answer` is then unused. */
  gives?: readonly string[];
  answer: v.GenericSchema;
  status: number;
}

const ofProof = v.strictObject({ id: idSchema, proofId: idSchema });
const byId = v.strictObject({ id: idSchema });
const byToken = v.strictObject({ token: trackingTokenSchema });
const nothing = v.object({});

export const routes = {
  signUp: {
    method: 'POST',
    path: '/api/auth/signup',
    proof: 'none',
    summary: 'Register as a sender (Customer) or a courier (Employee)',
    body: signUpSchema,
    answer: signUpAnswerSchema,
    status: 201,
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    proof: 'none',
    summary: 'Sign in',
    body: loginSchema,
    answer: sessionSchema,
    status: 200,
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    proof: 'cookie',
    summary: 'End this session',
    answer: nothing,
    status: 200,
  },
  refresh: {
    method: 'GET',
    path: '/api/auth/refresh',
    proof: 'cookie',
    summary: 'Exchange the refresh cookie for a new access token',
    answer: sessionSchema,
    status: 200,
  },
  listUsers: {
    method: 'GET',
    path: '/api/users',
    proof: 'bearer',
    summary: 'The users visible to the caller, or their changes',
    query: sinceSchema,
    answer: userListSchema,
    status: 200,
  },
  addUser: {
    method: 'POST',
    path: '/api/users',
    proof: 'bearer',
    summary: 'Add a user (admins)',
    body: addUserSchema,
    answer: userSchema,
    status: 201,
  },
  patchUser: {
    method: 'PATCH',
    path: '/api/users',
    proof: 'bearer',
    summary: "Change a profile or password; admins also any user's roles and active flag",
    body: patchUserSchema,
    answer: userSchema,
    status: 200,
  },
  deleteUser: {
    method: 'DELETE',
    path: '/api/users',
    proof: 'bearer',
    summary: 'Deactivate a user (admins)',
    body: deleteUserSchema,
    answer: userSchema,
    status: 200,
  },
  adjustBalance: {
    method: 'PATCH',
    path: '/api/users/balance',
    proof: 'bearer',
    summary: "Adjust a user's available balance, with a reason (admins)",
    body: adjustBalanceSchema,
    answer: userSchema,
    status: 200,
  },
  listPackages: {
    method: 'GET',
    path: '/api/packages',
    proof: 'bearer',
    summary: 'The packages visible to the caller, newest first, or their changes',
    query: packagesQuerySchema,
    answer: packageListSchema,
    status: 200,
  },
  getPackage: {
    method: 'GET',
    path: '/api/packages/:id',
    proof: 'bearer',
    summary: 'One package',
    params: byId,
    answer: packageSchema,
    status: 200,
  },
  createPackage: {
    method: 'POST',
    path: '/api/packages',
    proof: 'bearer',
    summary: 'Create a package',
    body: createPackageSchema,
    answer: packageSchema,
    status: 201,
  },
  patchPackage: {
    method: 'PATCH',
    path: '/api/packages/:id',
    proof: 'bearer',
    summary: 'Edit, accept, reject, deliver, cancel or pay a package',
    params: byId,
    body: patchPackageSchema,
    answer: packageSchema,
    status: 200,
  },
  listEvents: {
    method: 'GET',
    path: '/api/packages/:id/events',
    proof: 'bearer',
    summary: 'What happened to a package, oldest first',
    params: byId,
    answer: packageEventsSchema,
    status: 200,
  },
  recordEvent: {
    method: 'POST',
    path: '/api/packages/:id/events',
    proof: 'bearer',
    summary: 'Record a step of a delivery',
    params: byId,
    body: recordEventSchema,
    answer: packageSchema,
    status: 201,
  },
  openDispute: {
    method: 'POST',
    path: '/api/packages/:id/disputes',
    proof: 'bearer',
    summary: 'Dispute a delivery or return, within 24 hours of its end',
    params: byId,
    body: openDisputeSchema,
    answer: packageSchema,
    status: 201,
  },
  resolveDispute: {
    method: 'POST',
    path: '/api/packages/:id/disputes/:disputeId/resolve',
    proof: 'bearer',
    summary: 'Decide a dispute and what becomes of the money held (admins)',
    params: v.strictObject({ id: idSchema, disputeId: idSchema }),
    body: resolveDisputeSchema,
    answer: packageSchema,
    status: 200,
  },
  putProof: {
    method: 'PUT',
    path: '/api/packages/:id/proofs/:proofId',
    proof: 'bearer',
    summary: 'Store a photo or signature (its courier)',
    params: ofProof,
    takes: pictureTypes,
    answer: storedProofSchema,
    status: 200,
  },
  replaceTracking: {
    method: 'POST',
    path: '/api/packages/:id/tracking',
    proof: 'bearer',
    summary: 'Replace the link of the recipient’s page; the one before ends',
    params: byId,
    answer: packageSchema,
    status: 200,
  },
  getTracking: {
    method: 'GET',
    path: '/api/track/:token',
    proof: 'none',
    summary: 'What a recipient sees of their package; 410 once the link has ended',
    params: byToken,
    answer: trackingSchema,
    status: 200,
  },
  leaveNote: {
    method: 'POST',
    path: '/api/track/:token/notes',
    proof: 'none',
    summary: 'Tell the courier: another time, a safe place or another person',
    params: byToken,
    body: leaveNoteSchema,
    answer: trackingSchema,
    status: 201,
  },
  trackedPhoto: {
    method: 'GET',
    path: '/api/track/:token/photos/:photoId',
    proof: 'none',
    summary: 'A photo of the delivery',
    params: v.strictObject({ token: trackingTokenSchema, photoId: idSchema }),
    gives: pictureTypes,
    answer: nothing,
    status: 200,
  },
  putPosition: {
    method: 'PUT',
    path: '/api/position',
    proof: 'bearer',
    summary: 'Share where this courier is, for ten minutes',
    body: placedSchema,
    answer: nothing,
    status: 200,
  },
  deletePosition: {
    method: 'DELETE',
    path: '/api/position',
    proof: 'bearer',
    summary: 'No longer share it',
    answer: nothing,
    status: 200,
  },
  listPositions: {
    method: 'GET',
    path: '/api/positions',
    proof: 'bearer',
    summary: 'Where the couriers are who share it (admins)',
    answer: positionsSchema,
    status: 200,
  },
  textWebhook: {
    method: 'POST',
    path: '/api/texts/webhook',
    proof: 'signature',
    summary: "The provider's report on a text message",
    answer: nothing,
    status: 200,
  },
  getProof: {
    method: 'GET',
    path: '/api/packages/:id/proofs/:proofId',
    proof: 'bearer',
    summary: 'A photo or signature',
    params: ofProof,
    gives: pictureTypes,
    answer: nothing,
    status: 200,
  },
  deletePackage: {
    method: 'DELETE',
    path: '/api/packages/:id',
    proof: 'bearer',
    summary: 'Delete a package without a courier',
    params: byId,
    answer: removedSchema,
    status: 200,
  },
  initiatePayment: {
    method: 'POST',
    path: '/api/payments/initiate',
    proof: 'bearer',
    summary: "Start a top-up: the URL of the provider's page and the reference",
    body: initiatePaymentSchema,
    answer: initiatedPaymentSchema,
    status: 200,
  },
  verifyPayment: {
    method: 'GET',
    path: '/api/payments/verify/:reference',
    proof: 'bearer',
    summary: 'Check the outcome of a top-up; credits it once',
    params: v.strictObject({ reference: referenceSchema }),
    answer: verifiedPaymentSchema,
    status: 200,
  },
  paymentWebhook: {
    method: 'POST',
    path: '/api/payments/webhook',
    proof: 'signature',
    summary: "The provider's report of a successful charge",
    answer: nothing,
    status: 200,
  },
  listPayments: {
    method: 'GET',
    path: '/api/payments',
    proof: 'bearer',
    summary: "The caller's balances and payment history, newest first",
    query: paymentsQuerySchema,
    answer: paymentsSchema,
    status: 200,
  },
  pushOffer: {
    method: 'GET',
    path: '/api/push',
    proof: 'bearer',
    summary: 'The key for push subscriptions, and the kinds of notification for the caller',
    answer: pushOfferSchema,
    status: 200,
  },
  putPush: {
    method: 'PUT',
    path: '/api/push',
    proof: 'bearer',
    summary: 'Subscribe this device to these kinds, until this session ends',
    body: pushSubscriptionSchema,
    answer: nothing,
    status: 200,
  },
  deletePush: {
    method: 'DELETE',
    path: '/api/push',
    proof: 'bearer',
    summary: 'Unsubscribe this device',
    body: endPushSchema,
    answer: nothing,
    status: 200,
  },
} as const satisfies Record<string, Route>;

export type RouteName = keyof typeof routes;

/** '/api/packages/:id' with its parameters filled in. */
export function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
