/**
 * A play-money provider that speaks Paystack's protocol, over HTTP with a secret key and by signed
 * webhooks, so that what works here works with Paystack.
 */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as v from 'valibot';
import { emailPattern, limits } from '#contract/fields.ts';
import { routes } from '#contract/routes.ts';
import type { SandboxStatus } from '#server/database/money-schema.ts';
import { readForms } from '#server/http/forms.ts';
import { sendPage } from '#server/http/page.ts';
import { callWebhook, signatureHeaders } from '#server/http/webhook.ts';
import { carriesKey } from '#server/plugins/authentication.ts';
import { banksPage } from './banks-page.ts';
import { checkoutPage, unknownPage } from './checkout-page.ts';
import { refuse, type SandboxNeeds, sandboxPath } from './protocol.ts';
import * as repository from './repository.ts';
import { chargeOf, stateOf } from './repository.ts';
import { addSandboxTransfers, sendSandboxEvents } from './transfer-routes.ts';

const checkoutPath = '/sandbox/checkout';
const banksPath = '/sandbox/banks';

const referencePattern = /^[\w.=-]{1,100}$/;

const initializeSchema = v.object({
  email: v.pipe(v.string(), v.regex(emailPattern), v.maxLength(limits.email)),
  amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  reference: v.optional(v.pipe(v.string(), v.regex(referencePattern))),
  currency: v.optional(v.picklist(['NGN']), 'NGN'),
  callback_url: v.pipe(v.string(), v.url(), v.regex(/^https?:\/\//)),
});

function addProtocol(scope: FastifyInstance, needs: SandboxNeeds): void {
  const { db, secretKey, now } = needs;
  scope.addHook('onRequest', async (request, reply) => {
    if (!carriesKey(request, secretKey)) return refuse(reply, 401, 'Invalid key');
  });
  addSandboxTransfers(scope, needs);

  scope.post(`${sandboxPath}/transaction/initialize`, async (request, reply) => {
    const parsed = v.safeParse(initializeSchema, request.body);
    if (!parsed.success) return refuse(reply, 400, 'Invalid transaction parameters');
    const { email, amount, currency, callback_url: callbackUrl } = parsed.output;
    const reference = parsed.output.reference ?? randomBytes(12).toString('hex');
    const accessCode = randomBytes(16).toString('hex');
    const isNew = await repository.insertTransaction(db, {
      reference,
      accessCode,
      email,
      currency,
      callbackUrl,
      amountKobo: amount,
      createdAt: now(),
    });
    if (!isNew) return refuse(reply, 400, 'Duplicate Transaction Reference');
    // On the app's origin, so that the form may redirect back (form-action of the CSP).
    const url = `${new URL(callbackUrl).origin}${checkoutPath}/${accessCode}`;
    const data = { authorization_url: url, access_code: accessCode, reference };
    return { status: true, message: 'Authorization URL created', data };
  });

  scope.get<{ Params: { reference: string } }>(
    `${sandboxPath}/transaction/verify/:reference`,
    async ({ params }, reply) => {
      const isKnowable = referencePattern.test(params.reference);
      const transaction =
        isKnowable && (await repository.findTransaction(db, 'reference', params.reference));
      if (!transaction) return refuse(reply, 404, 'Transaction reference not found.');
      return {
        status: true,
        message: 'Verification successful',
        data: chargeOf(transaction, now()),
      };
    },
  );
}

/** May get lost, like any provider's webhook: verify and reconcile recover. */
async function sendWebhook(needs: SandboxNeeds, reference: string): Promise<void> {
  const { app, db, secretKey, ownUrl } = needs;
  const transaction = await repository.findTransaction(db, 'reference', reference);
  if (!transaction) return;
  const data = { event: 'charge.success', data: chargeOf(transaction, needs.now()) };
  const header = signatureHeaders.payments;
  try {
    await callWebhook(ownUrl(), routes.paymentWebhook, { header, secretKey, data });
  } catch {
    app.log.warn({ reference }, "the sandbox's webhook failed");
  }
}

const decisions: Record<string, SandboxStatus | undefined> = {
  pay: 'success',
  decline: 'failed',
  abandon: 'abandoned',
};

function backTo({ callbackUrl, reference }: repository.SandboxTransaction): string {
  if (callbackUrl === null) return '/';
  const url = new URL(callbackUrl);
  url.searchParams.set('reference', reference);
  url.searchParams.set('trxref', reference);
  return url.href;
}

const accessCodePattern = /^[0-9a-f]{32}$/;

interface CheckoutCall {
  Params: { accessCode: string };
  Body: URLSearchParams | undefined;
}

function addCheckout(scope: FastifyInstance, needs: SandboxNeeds): void {
  const { db, now } = needs;
  scope.removeAllContentTypeParsers();
  readForms(scope);
  const find = async (accessCode: string) =>
    accessCodePattern.test(accessCode)
      ? repository.findTransaction(db, 'accessCode', accessCode)
      : null;
  const show = (
    reply: FastifyReply,
    status: number,
    transaction: repository.SandboxTransaction,
  ) => {
    const state = stateOf(transaction, now());
    const page = checkoutPage({ ...transaction, state, backUrl: backTo(transaction) });
    return sendPage(reply, state === 'expired' ? 410 : status, page);
  };

  scope.get<CheckoutCall>(`${checkoutPath}/:accessCode`, async ({ params }, reply) => {
    const transaction = await find(params.accessCode);
    return transaction ? show(reply, 200, transaction) : sendPage(reply, 404, unknownPage());
  });

  scope.post<CheckoutCall>(`${checkoutPath}/:accessCode`, async ({ params, body }, reply) => {
    const transaction = await find(params.accessCode);
    if (!transaction) return sendPage(reply, 404, unknownPage());
    const decision = body?.get('decision') ?? '';
    const status = Object.hasOwn(decisions, decision) ? decisions[decision] : undefined;
    if (!status) return show(reply, 400, transaction);
    if (stateOf(transaction, now()) === 'expired') return show(reply, 410, transaction);
    const isDecided = await repository.decide(db, transaction.reference, status, now());
    // Already paid, in another tab or before going back: the page shows it as paid.
    if (!isDecided && status !== 'success') {
      return reply.redirect(`${checkoutPath}/${transaction.accessCode}`, 303);
    }
    if (status === 'success') await sendWebhook(needs, transaction.reference);
    return reply.redirect(backTo(transaction), 303);
  });
}

/** /sandbox/paystack/… for the server, /sandbox/checkout/… and /sandbox/banks for people. */
export function addSandbox(needs: SandboxNeeds): void {
  needs.app.register(async (scope) => addProtocol(scope, needs));
  needs.app.register(async (scope) => addCheckout(scope, needs));
  needs.app.get(banksPath, async (_, reply) => sendPage(reply, 200, banksPage()));
  sendSandboxEvents(needs);
}
