/** The provider's reports, and sending while the server listens. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { routes } from '#contract/routes.ts';
import type { Config } from '#server/config/config.ts';
import type { Database } from '#server/database/database.ts';
import { ownUrlOf } from '#server/http/own-url.ts';
import { Refusal } from '#server/http/refusal.ts';
import { readUtf8 } from '#server/http/utf8.ts';
import { addWebhook, isSignatureOf, signatureHeaders } from '#server/http/webhook.ts';
import { getOrCreateSetting } from '#server/modules/auth/repository.ts';
import type { TextProvider } from './provider.ts';
import { addSandboxPhone, sandboxPath } from './providers/sandbox/routes.ts';
import { createTermii } from './providers/termii.ts';
import * as repository from './repository.ts';
import { sendWhileListening } from './sender.ts';

interface Needs {
  app: FastifyInstance;
  db: Database;
  config: Pick<Config, 'texts' | 'publicUrl'>;
  now: () => Date;
}

/** Null: no messages are sent. For the sandbox, adds its routes. */
async function chooseProvider({ app, db, config, now }: Needs): Promise<TextProvider | null> {
  const { texts } = config;
  if (texts.provider === 'off') return null;
  if (texts.provider === 'termii') return createTermii({ ...texts, baseUrl: () => texts.url });
  const fresh = randomBytes(32).toString('base64url');
  const key = await getOrCreateSetting(db, 'sandbox_secret_key', fresh);
  const ownUrl = () => ownUrlOf(app);
  addSandboxPhone({ app, db, now, key, ownUrl });
  const baseUrl = () => {
    const own = ownUrl();
    return own && `${own}${sandboxPath}`;
  };
  const named = { senderId: 'Kaya', channel: 'dnd' } as const;
  return createTermii({ ...named, baseUrl, apiKey: key, secretKey: key });
}

const jsonSchema = v.pipe(v.string(), v.parseJson());

/** Refuses with `signature_invalid`, or `malformed` for a signed body that is not JSON. */
function createHear({ db, now }: Needs, provider: TextProvider | null) {
  return async (rawBody: Buffer, signature: string): Promise<void> => {
    if (!provider || !isSignatureOf(rawBody, provider.secretKey, signature)) {
      throw new Refusal('signature_invalid');
    }
    const body = v.safeParse(jsonSchema, readUtf8(rawBody));
    if (!body.success) throw new Refusal('malformed');
    const report = provider.readReport(body.output);
    const at = now();
    const text = report && (await repository.findReported(db, report, at));
    if (!text || !(await repository.nameText(db, text, report.providerId))) return;
    if (report.costKobo !== null) await repository.noteCost(db, text.id, report.costKobo);
    await repository.noteText(db, text, report.outcome ?? 'sent', at);
  };
}

/** /api/texts/webhook, and with the sandbox /sandbox/phone. */
export async function addTexts(needs: Needs): Promise<void> {
  const { app, db, config, now } = needs;
  const provider = await chooseProvider(needs);
  addWebhook(app, routes.textWebhook, signatureHeaders.texts, createHear(needs, provider));
  if (!provider) return;
  const publicUrl = () => config.publicUrl ?? ownUrlOf(app);
  const { send } = provider;
  const { terms } = config.texts;
  sendWhileListening(app, { db, now, send, terms, publicUrl, log: app.log });
}
