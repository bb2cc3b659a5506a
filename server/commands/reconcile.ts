/** `npm run reconcile`: asks the provider once about every open top-up and payout that is due. */
import Fastify from 'fastify';
import { StartupError } from '#server/config/startup-error.ts';
import { ProviderError } from '#server/modules/payments/providers/paystack-calls.ts';
import { chooseProvider } from '#server/modules/payments/providers/provider.ts';
import { reconcile } from '#server/modules/payments/reconcile.ts';
import { createPaymentService } from '#server/modules/payments/service.ts';
import { reconcilePayouts, sendPayouts } from '#server/modules/payouts/sending.ts';
import { runCommand } from './command.ts';

await runCommand(async (db, config) => {
  const now = () => new Date();
  const app = Fastify({ logger: { level: config.logLevel, stream: process.stderr, base: null } });
  try {
    const { transfers, ...provider } = await chooseProvider(app, { db, config, now });
    // The sandbox is part of the server and is called over HTTP.
    if (config.payments.provider === 'sandbox') await app.listen({ port: 0, host: '127.0.0.1' });
    const payments = createPaymentService({ ...provider, db, now, log: app.log });
    const { asked, credited, abandoned, unanswered } = await reconcile({ db, now, payments });
    process.stdout.write(
      `Asked about ${asked} top-ups: ${credited} credited, ${abandoned} abandoned.\n`,
    );
    const sending = { db, now, transfers, log: app.log };
    await sendPayouts(sending);
    const payouts = await reconcilePayouts(sending);
    process.stdout.write(
      `Asked about ${payouts.asked} payouts: ${payouts.paid} paid, ${payouts.returned} returned.\n`,
    );
    if (unanswered + payouts.unanswered > 0) {
      throw new StartupError(
        `The payment provider said nothing usable of ${unanswered + payouts.unanswered} of them. Check PAYSTACK_SECRET_KEY, then try again.`,
      );
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    throw new StartupError(
      'The payment provider is not responding. Check PAYMENTS and PAYSTACK_URL, then try again.',
    );
  } finally {
    await app.close();
  }
});
