/** The calls about notifications that screens make; `app` hands them down from the room of the calls. */
import type { EndPushBody, PushOffer, PushSubscriptionBody } from '#contract/push.ts';

/** Each rejects with ApiFailure (api/failure.ts), never otherwise. None is queued. */
export interface PushCalls {
  pushOffer(): Promise<PushOffer>;
  /** Doing it twice is doing it once. */
  putPush(body: PushSubscriptionBody): Promise<void>;
  deletePush(body: EndPushBody): Promise<void>;
}
