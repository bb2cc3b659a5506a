/** Sends one message to one push service, encrypted and signed by `web-push`. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import webPush from 'web-push';
import type { PushMessage } from '#contract/push.ts';
import { withDeadline } from '#server/config/timeouts.ts';
import { isAllowedEndpoint, publicLookup } from './endpoint.ts';
import type { Vapid } from './vapid.ts';

export interface Address {
  endpoint: string;
  p256dh: string;
  auth: string;
  vapidKey: string | null;
}

/**
 * later: worth a retry, after `afterMs` if the service said so. refused: will never be accepted.
 */
export type PushOutcome =
  | { kind: 'sent' }
  | { kind: 'gone' }
  | { kind: 'later'; afterMs: number | undefined }
  | { kind: 'refused'; status: number | undefined };

export type SendPush = (
  to: Address,
  message: PushMessage,
  stop: AbortSignal,
) => Promise<PushOutcome>;

/** An offer is soon taken; changes of one's own package matter for a day. */
const lifetimeSeconds = (kind: PushMessage['kind']) => (kind === 'newPackage' ? 3600 : 86_400);

/** Seconds or an HTTP date → ms; undefined if unreadable. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

function outcomeOf(status: number, retryAfter: string | undefined): PushOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  if (status === 404 || status === 410) return { kind: 'gone' };
  if (status === 429 || status >= 500) {
    return { kind: 'later', afterMs: readRetryAfter(retryAfter) };
  }
  return { kind: 'refused', status };
}

interface Needs {
  vapid: Vapid;
  isLocalAllowed: boolean;
  /** For the whole exchange. */
  timeoutMs: number;
}

/** The function never rejects. It follows no redirects: they could lead anywhere. */
export function createSendPush({ vapid, isLocalAllowed, timeoutMs }: Needs): SendPush {
  const { subject, publicKey, privateKey } = vapid;
  return async ({ endpoint, p256dh, auth, vapidKey }, message, stop) => {
    if (!isAllowedEndpoint(endpoint, isLocalAllowed)) return { kind: 'gone' };
    let details: webPush.RequestDetails;
    try {
      details = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        JSON.stringify(message),
        {
          vapidDetails: { subject, publicKey, privateKey },
          TTL: lifetimeSeconds(message.kind),
          urgency: 'high',
          // Replaces an undelivered message about the same package.
          topic: message.id.replaceAll('-', ''),
        },
      );
    } catch {
      // Keys that are not a point on the curve: no browser could decrypt the message.
      return { kind: 'gone' };
    }
    const url = new URL(endpoint);
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    const call = (signal: AbortSignal) =>
      new Promise<PushOutcome>((resolve) => {
        const outgoing = request(url, {
          method: 'POST',
          headers: details.headers,
          signal,
          ...(isLocalAllowed ? {} : { lookup: publicLookup }),
        });
        outgoing.on('response', (answer) => {
          resolve(outcomeOf(answer.statusCode ?? 0, answer.headers['retry-after']));
          answer.on('error', () => undefined);
          answer.destroy();
        });
        outgoing.on('error', (error) =>
          resolve(
            error.name === 'PrivateAddress'
              ? { kind: 'gone' }
              : { kind: 'later', afterMs: undefined },
          ),
        );
        outgoing.end(details.body);
      });
    const outcome = await withDeadline(timeoutMs, stop, call).catch(
      (): PushOutcome => ({ kind: 'later', afterMs: undefined }),
    );
    // With the current key, a 401 or 403 may be a wrong clock and pass; with another it is final.
    const isForAnotherKey = vapidKey !== null && vapidKey !== publicKey;
    return outcome.kind === 'refused' && isForAnotherKey ? { kind: 'gone' } : outcome;
  };
}
