/**
 * A phone on this server that gets every text message. It speaks Termii's protocol, over HTTP with a
 * key and by signed webhooks, so that what works here works with Termii.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { routes } from '#contract/routes.ts';
import type { Database } from '#server/database/database.ts';
import { isFromHere, keyOfPage } from '#server/http/own-machine.ts';
import { sendPage } from '#server/http/page.ts';
import { Refusal } from '#server/http/refusal.ts';
import { callWebhook, signatureHeaders } from '#server/http/webhook.ts';
import { sendPath } from '#server/modules/texts/providers/termii.ts';
import { isKey } from '#server/plugins/authentication.ts';
import { phonePage } from './phone-page.ts';
import * as repository from './repository.ts';

export const sandboxPath = '/sandbox/termii';
export const phonePath = '/sandbox/phone';
/** Naira for each 160 characters, about what Termii takes. */
const nairaPerPart = 4;

interface Needs {
  app: FastifyInstance;
  db: Database;
  now: () => Date;
  /** Both Termii's API key and its secret. */
  key: string;
  ownUrl: () => string | null;
}

const messageSchema = v.object({
  api_key: v.string(),
  to: v.pipe(v.string(), v.regex(/^[1-9]\d{7,14}$/)),
  from: v.pipe(v.string(), v.minLength(3), v.maxLength(11)),
  sms: v.pipe(v.string(), v.nonEmpty(), v.maxLength(1000)),
  type: v.literal('plain'),
  channel: v.picklist(['dnd', 'generic']),
});

function no(reply: FastifyReply, status: number, message: string) {
  return reply.code(status).send({ code: status, message });
}

/** May get lost, like any provider's. */
async function report({ app, key, ownUrl }: Needs, text: repository.SandboxText): Promise<void> {
  const data = {
    type: 'outbound',
    id: text.id,
    message_id: text.id,
    channel: 'dnd',
    receiver: text.recipient.slice(1),
    sender: text.sender,
    message: text.body,
    sent_at: text.at.toISOString(),
    status: 'DELIVERED',
    cost: String(nairaPerPart * Math.ceil(text.body.length / 160)),
  };
  const header = signatureHeaders.texts;
  try {
    await callWebhook(ownUrl() ?? '', routes.textWebhook, { header, secretKey: key, data });
  } catch {
    app.log.warn("the sandbox phone's webhook failed");
  }
}

/**
 * A call through a proxy that sends no `X-Forwarded-For` seems to come from this machine. The page
 * therefore opens only with the key that the server logs at its start.
 */
const hasKey = ({ query }: FastifyRequest, key: string) => {
  const { key: given } = query as { key?: unknown };
  return typeof given === 'string' && isKey(given, keyOfPage(key, phonePath));
};

/** /sandbox/termii/… for the server, /sandbox/phone for people at this machine: it shows codes. */
export function addSandboxPhone(needs: Needs): void {
  const { app, db, now, key, ownUrl } = needs;

  app.addHook('onListen', async () => {
    const phone = `${ownUrl()}${phonePath}?key=${keyOfPage(key, phonePath)}`;
    app.log.info({ phone }, 'text messages are shown here');
  });

  app.post(`${sandboxPath}${sendPath}`, async ({ body }, reply) => {
    const parsed = v.safeParse(messageSchema, body);
    if (!parsed.success) return no(reply, 400, 'Invalid message parameters');
    const { api_key: given, to, from: sender, sms } = parsed.output;
    if (!isKey(given, key)) return no(reply, 401, 'Invalid api key');
    const text = { id: randomUUID(), recipient: `+${to}`, sender, body: sms, at: now() };
    await repository.keepText(db, text);
    reply.raw.once('finish', () => void report(needs, text));
    return {
      code: 'ok',
      message_id: text.id,
      message: 'Successfully Sent',
      balance: 1000,
      user: sender,
    };
  });

  app.get(phonePath, async (request, reply) => {
    if (!isFromHere(request) || !hasKey(request, key)) throw new Refusal('not_found');
    const texts = await repository.listTexts(db);
    if (!request.headers.accept?.includes('application/json')) {
      return sendPage(reply, 200, phonePage(texts));
    }
    reply.header('cache-control', 'no-store');
    return texts.map(({ recipient, sender, body, at }) => ({
      to: recipient,
      from: sender,
      text: body,
      at: at.toISOString(),
    }));
  });
}
