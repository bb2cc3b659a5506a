/**
 * Client of Termii's protocol (POST /api/sms/send, and the delivery reports of its webhook). It knows
 * no idempotency keys, so a try whose answer is lost must not be repeated.
 */
import * as v from 'valibot';
import { line } from '#contract/fields.ts';
import { nairaToKobo } from '#domain/money.ts';
import { withDeadline } from '#server/config/timeouts.ts';
import { isUnreached } from '#server/http/unreached.ts';
import type { Report, SendOutcome, TextProvider } from '#server/modules/texts/provider.ts';

export const sendPath = '/api/sms/send';

/** dnd reaches numbers that block advertising; the operator has it enabled by Termii. */
export const termiiChannels = ['dnd', 'generic'] as const;
export type TermiiChannel = (typeof termiiChannels)[number];

export interface TermiiNeeds {
  /** Called each time: the sandbox's address is known only once it listens. Null: not yet. */
  baseUrl: () => string | null;
  apiKey: string;
  secretKey: string;
  /** The sender's name on the recipient's phone. */
  senderId: string;
  channel: TermiiChannel;
  /** Longer than Node's fetch tries to connect, 10 s: without a connection nothing was sent. */
  timeoutMs?: number;
}

const idSchema = line(100);
/** As a JSON number an id may have lost its last digits: then it is unknown. */
const numberedIdSchema = v.pipe(
  v.number(),
  v.transform((id) => (Number.isSafeInteger(id) ? String(id) : null)),
);
const answerSchema = v.object({
  code: v.optional(v.literal('ok')),
  message_id: v.union([idSchema, numberedIdSchema]),
  message_id_str: v.optional(idSchema),
});
const jsonSchema = v.fallback(v.pipe(v.string(), v.parseJson()), undefined);

/** Termii sends it with several statuses; it ends once the operator tops up the account. */
const emptyAccount = /insufficient/i;
/** A wrong key, an empty account, too many calls: nothing about this message. */
const isAboutTheAccount = (status: number, text: string) =>
  [401, 402, 403, 429].includes(status) || emptyAccount.test(text);

/** A proxy in front may answer 5xx for what Termii took, and so may Termii. */
function outcomeOf(status: number, text: string, retryAfter: string | null): SendOutcome {
  if (status === 408 || status < 200 || status >= 500) return { kind: 'uncertain', status };
  if (status >= 400) {
    if (!isAboutTheAccount(status, text)) return { kind: 'refused', status };
    const seconds = Number(retryAfter ?? Number.NaN);
    return { kind: 'later', status, ...(seconds > 0 ? { afterMs: seconds * 1000 } : {}) };
  }
  const parsed = v.safeParse(answerSchema, v.parse(jsonSchema, text));
  if (!parsed.success) return { kind: 'uncertain', status };
  const { message_id: id, message_id_str: textId } = parsed.output;
  return { kind: 'sent', providerId: textId ?? id };
}

const amount = /^[^\d.-]*(\d{1,6}(?:\.\d+)?)\D*$/;

/** '₦1,002.50', '2.5' or 2.5 naira → kobo; what cannot be read is null. */
function readCost(cost: string | number | null | undefined): number | null {
  const [, naira] = amount.exec(String(cost ?? '').replaceAll(',', '')) ?? [];
  return naira === undefined ? null : nairaToKobo(Number(naira));
}

/** By its start: 'DELIVERED', 'Message delivered to handset', 'DND Active on Phone Number'. */
function outcomeOfReport(status: string): Report['outcome'] {
  if (/^(message )?delivered|^received/i.test(status)) return 'delivered';
  const isFailed = /^(dnd active|message failed|failed|rejected|expired|undeliver)/i.test(status);
  return isFailed ? 'failed' : null;
}

const reportSchema = v.object({
  message_id: idSchema,
  receiver: v.pipe(v.string(), v.regex(/^\+?\d{7,15}$/)),
  message: v.optional(v.nullable(v.string()), ''),
  status: v.pipe(v.string(), v.nonEmpty()),
  cost: v.optional(v.nullable(v.union([v.string(), v.number()]))),
});

function readReport(json: unknown): Report | null {
  const parsed = v.safeParse(reportSchema, json);
  if (!parsed.success) return null;
  const { message_id: providerId, receiver, message, status, cost } = parsed.output;
  return {
    providerId,
    to: `+${receiver.replace('+', '')}`,
    body: message ?? '',
    outcome: outcomeOfReport(status.trim()),
    costKobo: readCost(cost),
  };
}

export function createTermii(needs: TermiiNeeds): TextProvider {
  const { baseUrl, apiKey, secretKey, senderId, channel, timeoutMs = 15_000 } = needs;
  return {
    secretKey,
    readReport,
    send: async ({ to, body }) => {
      const base = baseUrl();
      if (base === null) return { kind: 'later' };
      const message = { to: to.replace('+', ''), from: senderId, sms: body };
      const hear = async (signal: AbortSignal) => {
        const response = await fetch(`${base}${sendPath}`, {
          method: 'POST',
          headers: { accept: 'application/json', 'content-type': 'application/json' },
          body: JSON.stringify({ ...message, type: 'plain', channel, api_key: apiKey }),
          redirect: 'error',
          signal,
        });
        const text = await response.text();
        return outcomeOf(response.status, text, response.headers.get('retry-after'));
      };
      try {
        return await withDeadline(timeoutMs, undefined, hear);
      } catch (error) {
        return { kind: isUnreached(error) ? 'later' : 'uncertain' };
      }
    },
  };
}
