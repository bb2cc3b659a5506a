/** Notifications. None is queued. */
import type { EndPushBody, PushSubscriptionBody } from '#contract/push.ts';
import type { ApiClient } from './client.ts';

export type PushApi = ReturnType<typeof createPushApi>;

export const createPushApi = (client: ApiClient) => ({
  pushOffer: () => client.call('pushOffer', {}, (offer) => offer),
  /** Idempotent. */
  putPush: (body: PushSubscriptionBody) => client.call('putPush', { body }, () => undefined),
  deletePush: (body: EndPushBody) => client.call('deletePush', { body }, () => undefined),
});
