/** The sandbox's banks, recipients and transfers, in Paystack's protocol; its webhooks are signed. */
import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as v from 'valibot';
import { accountNumberSchema } from '#contract/payout.ts';
import { routes } from '#contract/routes.ts';
import { callWebhook, signatureHeaders } from '#server/http/webhook.ts';
import { whileListening } from '#server/http/while-listening.ts';
import { errorForLog } from '#server/plugins/request-log.ts';
import { holderOf, sandboxBanks } from './banks.ts';
import { refuse, type SandboxNeeds, sandboxPath } from './protocol.ts';
import { lifeOf, statusAt, type TransferStatus, unknownAccount } from './transfer-lives.ts';
import * as repository from './transfer-repository.ts';

const everyMs = 1000;
/** Of the play money; nobody counts it. */
const balanceKobo = 100_000_000_000;

const bankCodeSchema = v.picklist(sandboxBanks.map(({ code }) => code));
const bankNameOf = (wanted: string) => sandboxBanks.find(({ code }) => code === wanted)?.name;

const recipientSchema = v.object({
  type: v.literal('nuban'),
  name: v.pipe(v.string(), v.nonEmpty(), v.maxLength(200)),
  account_number: accountNumberSchema,
  bank_code: bankCodeSchema,
  currency: v.optional(v.literal('NGN'), 'NGN'),
});

const transferSchema = v.object({
  source: v.literal('balance'),
  recipient: v.pipe(v.string(), v.regex(/^RCP_\w+$/)),
  amount: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  currency: v.optional(v.literal('NGN'), 'NGN'),
  reason: v.optional(v.pipe(v.string(), v.maxLength(200))),
  reference: v.optional(v.pipe(v.string(), v.regex(/^[a-z0-9_-]{16,50}$/))),
});

function recipientOf(row: repository.SandboxRecipient) {
  const { code, bankCode, accountNumber, name, createdAt } = row;
  return {
    active: true,
    createdAt: createdAt.toISOString(),
    currency: 'NGN',
    domain: 'test',
    name,
    recipient_code: code,
    type: 'nuban',
    details: {
      account_number: accountNumber,
      account_name: holderOf(accountNumber),
      bank_code: bankCode,
      bank_name: bankNameOf(bankCode) ?? null,
    },
  };
}

function transferOf({ transfer, recipient }: repository.KnownTransfer, status: TransferStatus) {
  const { reference, code, amountKobo: amount, reason, createdAt } = transfer;
  return {
    amount,
    currency: 'NGN',
    createdAt: createdAt.toISOString(),
    domain: 'test',
    reason,
    reference,
    source: 'balance',
    status,
    transfer_code: code,
    recipient: recipientOf(recipient),
  };
}

const statusNow = ({ transfer, recipient }: repository.KnownTransfer, now: Date) =>
  statusAt(lifeOf(recipient.accountNumber), now.getTime() - transfer.createdAt.getTime());

function addBanks(scope: FastifyInstance): void {
  scope.get(`${sandboxPath}/bank`, async () => {
    const data = sandboxBanks.map((bank) => ({
      ...bank,
      active: true,
      country: 'Nigeria',
      currency: 'NGN',
      type: 'nuban',
    }));
    return { status: true, message: 'Banks retrieved', data };
  });

  scope.get<{ Querystring: { account_number?: string; bank_code?: string } }>(
    `${sandboxPath}/bank/resolve`,
    async ({ query }, reply) => {
      const { account_number: accountNumber, bank_code: bankCode } = query;
      if (!v.is(bankCodeSchema, bankCode)) return refuse(reply, 400, 'Unknown bank code');
      if (!v.is(accountNumberSchema, accountNumber) || accountNumber === unknownAccount) {
        const words = 'Could not resolve account name. Check parameters or try again.';
        return refuse(reply, 422, words);
      }
      const data = { account_number: accountNumber, account_name: holderOf(accountNumber) };
      return { status: true, message: 'Account number resolved', data };
    },
  );

  scope.get(`${sandboxPath}/balance`, async () => ({
    status: true,
    message: 'Balances retrieved',
    data: [{ currency: 'NGN', balance: balanceKobo }],
  }));
}

function addTransfers(scope: FastifyInstance, { db, now }: SandboxNeeds): void {
  scope.post(`${sandboxPath}/transferrecipient`, async ({ body }, reply) => {
    const parsed = v.safeParse(recipientSchema, body);
    if (!parsed.success) return refuse(reply, 400, 'Invalid recipient parameters');
    const { name, account_number: accountNumber, bank_code: bankCode } = parsed.output;
    const code = `RCP_${randomBytes(8).toString('hex')}`;
    const row = { code, bankCode, accountNumber, name, createdAt: now() };
    const data = recipientOf(await repository.addRecipient(db, row));
    return reply
      .code(201)
      .send({ status: true, message: 'Transfer recipient created successfully', data });
  });

  scope.post(`${sandboxPath}/transfer`, async ({ body }, reply: FastifyReply) => {
    const parsed = v.safeParse(transferSchema, body);
    if (!parsed.success) return refuse(reply, 400, 'Invalid transfer parameters');
    const { recipient: recipientCode, amount: amountKobo, reason = null } = parsed.output;
    const { reference = `trf_${randomBytes(12).toString('hex')}` } = parsed.output;
    const recipient = await repository.findRecipient(db, recipientCode);
    if (!recipient) return refuse(reply, 404, 'Recipient specified is invalid');
    const life = lifeOf(recipient.accountNumber);
    if (life.refusal !== undefined) return refuse(reply, 400, life.refusal);
    const [code, createdAt] = [`TRF_${randomBytes(8).toString('hex')}`, now()];
    const announceAt = repository.dueAt(recipient.accountNumber, createdAt, 0);
    const transfer = { reference, code, recipientCode, amountKobo, reason, createdAt, announceAt };
    if (!(await repository.insertTransfer(db, transfer))) {
      return refuse(reply, 400, 'Please provide a unique reference. Reference already exists.');
    }
    if (life.isSilent) {
      reply.hijack();
      return reply.raw.destroy();
    }
    const made = { transfer: { ...transfer, announced: 0 }, recipient };
    const status = statusNow(made, createdAt);
    const message =
      status === 'otp' ? 'Transfer requires OTP to continue' : 'Transfer has been queued';
    return { status: true, message, data: transferOf(made, status) };
  });

  scope.get<{ Params: { reference: string } }>(
    `${sandboxPath}/transfer/verify/:reference`,
    async ({ params }, reply) => {
      const found = await repository.findTransfer(db, params.reference);
      if (!found) return refuse(reply, 404, 'Transfer not found');
      const data = transferOf(found, statusNow(found, now()));
      return { status: true, message: 'Transfer retrieved', data };
    },
  );
}

/** What each event says the transfer is, whatever it is by now. */
const toldStatus = {
  'transfer.success': 'success',
  'transfer.failed': 'failed',
  'transfer.reversed': 'reversed',
} as const;

/** Sends the webhooks that are due. They may get lost, like any provider's. */
async function sendEvents(needs: SandboxNeeds, stop: AbortSignal): Promise<void> {
  const { db, secretKey, ownUrl, now, app } = needs;
  while (!stop.aborted) {
    const claimed = await repository.claimEvent(db, now());
    if (!claimed) return;
    const { transfer, recipient } = claimed;
    const event = lifeOf(recipient.accountNumber).events[transfer.announced]?.is;
    if (!event) continue;
    const data = { event, data: transferOf(claimed, toldStatus[event]) };
    const header = signatureHeaders.payments;
    try {
      await callWebhook(ownUrl(), routes.paymentWebhook, { header, secretKey, data });
    } catch {
      app.log.warn({ reference: transfer.reference }, "the sandbox's webhook failed");
    }
  }
}

export function addSandboxTransfers(scope: FastifyInstance, needs: SandboxNeeds): void {
  addBanks(scope);
  addTransfers(scope, needs);
}

export function sendSandboxEvents(needs: SandboxNeeds): void {
  const { app } = needs;
  whileListening(
    app,
    everyMs,
    (stop) => sendEvents(needs, stop),
    (error) => app.log.warn({ err: errorForLog(error) }, "the sandbox's webhooks failed"),
  );
}
