/**
 * The API calls, from which the server's routes, the client's paths and /api/docs derive. Mutations
 * with a bearer token accept an Idempotency-Key.
 */
import * as v from 'valibot';
import {
  confirmEmailSchema,
  deviceSessionsSchema,
  forgotPasswordSchema,
  loginSchema,
  resetPasswordSchema,
  sessionSchema,
  signUpAnswerSchema,
  signUpSchema,
} from './auth.ts';
import { packagesQuerySchema, removedSchema, sinceSchema, userListSchema } from './delta.ts';
import { openDisputeSchema, resolveDisputeSchema } from './dispute.ts';
import { eventsQuerySchema, packageEventsSchema, recordEventSchema } from './event.ts';
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
import {
  bankAccountSchema,
  banksSchema,
  createPayoutSchema,
  payoutSchema,
  payoutsSchema,
  putBankAccountSchema,
  resolveBankSchema,
  resolvedBankSchema,
} from './payout.ts';
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

/** Routes that the app calls. */
export const appRoutes = {
  signUp: {
    method: 'POST',
    path: '/api/auth/signup',
    proof: 'none',
    body: signUpSchema,
    answer: signUpAnswerSchema,
    status: 201,
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    proof: 'none',
    body: loginSchema,
    answer: sessionSchema,
    status: 200,
  },
  logout: {
    method: 'POST',
    path: '/api/auth/logout',
    proof: 'cookie',
    answer: nothing,
    status: 200,
  },
  refresh: {
    method: 'GET',
    path: '/api/auth/refresh',
    proof: 'cookie',
    answer: sessionSchema,
    status: 200,
  },
  forgotPassword: {
    method: 'POST',
    path: '/api/auth/forgot-password',
    proof: 'none',
    body: forgotPasswordSchema,
    answer: nothing,
    status: 202,
  },
  resetPassword: {
    method: 'POST',
    path: '/api/auth/reset-password',
    proof: 'none',
    body: resetPasswordSchema,
    answer: nothing,
    status: 200,
  },
  confirmEmail: {
    method: 'POST',
    path: '/api/auth/confirm-email',
    proof: 'none',
    body: confirmEmailSchema,
    answer: nothing,
    status: 200,
  },
  sendConfirmation: {
    method: 'POST',
    path: '/api/auth/send-confirmation',
    proof: 'bearer',
    answer: nothing,
    status: 202,
  },
  listSessions: {
    method: 'GET',
    path: '/api/auth/sessions',
    proof: 'bearer',
    answer: deviceSessionsSchema,
    status: 200,
  },
  endSession: {
    method: 'DELETE',
    path: '/api/auth/sessions/:id',
    proof: 'bearer',
    params: byId,
    answer: nothing,
    status: 200,
  },
  listUsers: {
    method: 'GET',
    path: '/api/users',
    proof: 'bearer',
    query: sinceSchema,
    answer: userListSchema,
    status: 200,
  },
  addUser: {
    method: 'POST',
    path: '/api/users',
    proof: 'bearer',
    body: addUserSchema,
    answer: userSchema,
    status: 201,
  },
  patchUser: {
    method: 'PATCH',
    path: '/api/users',
    proof: 'bearer',
    body: patchUserSchema,
    answer: userSchema,
    status: 200,
  },
  deleteUser: {
    method: 'DELETE',
    path: '/api/users',
    proof: 'bearer',
    body: deleteUserSchema,
    answer: userSchema,
    status: 200,
  },
  adjustBalance: {
    method: 'PATCH',
    path: '/api/users/balance',
    proof: 'bearer',
    body: adjustBalanceSchema,
    answer: userSchema,
    status: 200,
  },
  listPackages: {
    method: 'GET',
    path: '/api/packages',
    proof: 'bearer',
    query: packagesQuerySchema,
    answer: packageListSchema,
    status: 200,
  },
  getPackage: {
    method: 'GET',
    path: '/api/packages/:id',
    proof: 'bearer',
    params: byId,
    answer: packageSchema,
    status: 200,
  },
  createPackage: {
    method: 'POST',
    path: '/api/packages',
    proof: 'bearer',
    body: createPackageSchema,
    answer: packageSchema,
    status: 201,
  },
  patchPackage: {
    method: 'PATCH',
    path: '/api/packages/:id',
    proof: 'bearer',
    params: byId,
    body: patchPackageSchema,
    answer: packageSchema,
    status: 200,
  },
  listEvents: {
    method: 'GET',
    path: '/api/packages/:id/events',
    proof: 'bearer',
    params: byId,
    query: eventsQuerySchema,
    answer: packageEventsSchema,
    status: 200,
  },
  recordEvent: {
    method: 'POST',
    path: '/api/packages/:id/events',
    proof: 'bearer',
    params: byId,
    body: recordEventSchema,
    answer: packageSchema,
    status: 201,
  },
  openDispute: {
    method: 'POST',
    path: '/api/packages/:id/disputes',
    proof: 'bearer',
    params: byId,
    body: openDisputeSchema,
    answer: packageSchema,
    status: 201,
  },
  resolveDispute: {
    method: 'POST',
    path: '/api/packages/:id/disputes/:disputeId/resolve',
    proof: 'bearer',
    params: v.strictObject({ id: idSchema, disputeId: idSchema }),
    body: resolveDisputeSchema,
    answer: packageSchema,
    status: 200,
  },
  putProof: {
    method: 'PUT',
    path: '/api/packages/:id/proofs/:proofId',
    proof: 'bearer',
    params: ofProof,
    takes: pictureTypes,
    answer: storedProofSchema,
    status: 200,
  },
  replaceTracking: {
    method: 'POST',
    path: '/api/packages/:id/tracking',
    proof: 'bearer',
    params: byId,
    answer: packageSchema,
    status: 200,
  },
  putPosition: {
    method: 'PUT',
    path: '/api/position',
    proof: 'bearer',
    body: placedSchema,
    answer: nothing,
    status: 200,
  },
  deletePosition: {
    method: 'DELETE',
    path: '/api/position',
    proof: 'bearer',
    answer: nothing,
    status: 200,
  },
  listPositions: {
    method: 'GET',
    path: '/api/positions',
    proof: 'bearer',
    answer: positionsSchema,
    status: 200,
  },
  getProof: {
    method: 'GET',
    path: '/api/packages/:id/proofs/:proofId',
    proof: 'bearer',
    params: ofProof,
    gives: pictureTypes,
    answer: nothing,
    status: 200,
  },
  deletePackage: {
    method: 'DELETE',
    path: '/api/packages/:id',
    proof: 'bearer',
    params: byId,
    answer: removedSchema,
    status: 200,
  },
  initiatePayment: {
    method: 'POST',
    path: '/api/payments/initiate',
    proof: 'bearer',
    body: initiatePaymentSchema,
    answer: initiatedPaymentSchema,
    status: 200,
  },
  verifyPayment: {
    method: 'GET',
    path: '/api/payments/verify/:reference',
    proof: 'bearer',
    params: v.strictObject({ reference: referenceSchema }),
    answer: verifiedPaymentSchema,
    status: 200,
  },
  listPayments: {
    method: 'GET',
    path: '/api/payments',
    proof: 'bearer',
    query: paymentsQuerySchema,
    answer: paymentsSchema,
    status: 200,
  },
  listPayouts: {
    method: 'GET',
    path: '/api/payouts',
    proof: 'bearer',
    answer: payoutsSchema,
    status: 200,
  },
  createPayout: {
    method: 'POST',
    path: '/api/payouts',
    proof: 'bearer',
    body: createPayoutSchema,
    answer: payoutSchema,
    status: 201,
  },
  listBanks: {
    method: 'GET',
    path: '/api/payouts/banks',
    proof: 'bearer',
    answer: banksSchema,
    status: 200,
  },
  resolveBank: {
    method: 'GET',
    path: '/api/payouts/resolve',
    proof: 'bearer',
    query: resolveBankSchema,
    answer: resolvedBankSchema,
    status: 200,
  },
  putBankAccount: {
    method: 'PUT',
    path: '/api/payouts/account',
    proof: 'bearer',
    body: putBankAccountSchema,
    answer: bankAccountSchema,
    status: 200,
  },
  pushOffer: {
    method: 'GET',
    path: '/api/push',
    proof: 'bearer',
    answer: pushOfferSchema,
    status: 200,
  },
  putPush: {
    method: 'PUT',
    path: '/api/push',
    proof: 'bearer',
    body: pushSubscriptionSchema,
    answer: nothing,
    status: 200,
  },
  deletePush: {
    method: 'DELETE',
    path: '/api/push',
    proof: 'bearer',
    body: endPushSchema,
    answer: nothing,
    status: 200,
  },
} as const satisfies Record<string, Route>;

/** All routes, also those of recipients' pages and providers. */
export const routes = {
  ...appRoutes,
  getTracking: {
    method: 'GET',
    path: '/api/track/:token',
    proof: 'none',
    params: byToken,
    answer: trackingSchema,
    status: 200,
  },
  leaveNote: {
    method: 'POST',
    path: '/api/track/:token/notes',
    proof: 'none',
    params: byToken,
    body: leaveNoteSchema,
    answer: trackingSchema,
    status: 201,
  },
  trackedPhoto: {
    method: 'GET',
    path: '/api/track/:token/photos/:photoId',
    proof: 'none',
    params: v.strictObject({ token: trackingTokenSchema, photoId: idSchema }),
    gives: pictureTypes,
    answer: nothing,
    status: 200,
  },
  textWebhook: {
    method: 'POST',
    path: '/api/texts/webhook',
    proof: 'signature',
    answer: nothing,
    status: 200,
  },
  paymentWebhook: {
    method: 'POST',
    path: '/api/payments/webhook',
    proof: 'signature',
    answer: nothing,
    status: 200,
  },
} as const satisfies Record<string, Route>;

export type AppRouteName = keyof typeof appRoutes;
export type RouteName = keyof typeof routes;

/** '/api/packages/:id' with its parameters filled in. */
export function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
