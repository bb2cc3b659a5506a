import type { EndPushBody, PushOffer, PushSubscriptionBody } from '#contract/push.ts';
import type { ApiClient } from './client.ts';

export interface PushApi {
  pushOffer(): Promise<PushOffer>;
  /** Idempotent. */
  putPush(body: PushSubscriptionBody): Promise<void>;
  deletePush(body: EndPushBody): Promise<void>;
}

export function createPushApi(client: ApiClient): PushApi {
  return {
    pushOffer: () => client.call('pushOffer', {}, (offer) => offer),
    putPush: (body) => client.call('putPush', { body }, () => undefined),
    deletePush: (body) => client.call('deletePush', { body }, () => undefined),
  };
}
