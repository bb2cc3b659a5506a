/** `npm run demo`: the server on an in-memory database, seeded with a believable Kano. */
import { readConfig } from '#server/config/config.ts';
import { exitOnStartupError, StartupError } from '#server/config/startup-error.ts';
import { openInMemory } from '#server/database/pglite.ts';
import { serve } from '#server/http/serve.ts';
import { type DemoAccount, demoPassword, emailOf } from './demo/person.ts';
import { seedDemo } from './demo/seed.ts';

const admin: DemoAccount = {
  firstName: 'Ladi',
  lastName: 'Kwari',
  role: 'Admin',
  email: emailOf({ firstName: 'Ladi', lastName: 'Kwari' }),
};

const roleNames = { Admin: 'dispatcher', Employee: 'courier', Customer: 'sender' } as const;

function tell(accounts: DemoAccount[]): void {
  const lines = accounts.map(
    ({ role, email, firstName, lastName }) =>
      `  ${roleNames[role].padEnd(10)}  ${email.padEnd(28)}  ${firstName} ${lastName}`,
  );
  process.stdout.write(
    `A demo on a throw-away database; every password is ${demoPassword}\n${lines.join('\n')}\n`,
  );
}

await exitOnStartupError(async () => {
  const config = readConfig({
    LOG_LEVEL: 'warn',
    ...process.env,
    // Overrides the shell: play money, no texts to invented numbers, no pictures in a real bucket, and
    // no known passwords in a permanent database.
    DATABASE_URL: undefined,
    S3_URL: undefined,
    PAYMENTS: 'sandbox',
    PAYSTACK_SECRET_KEY: undefined,
    SMS_PROVIDER: undefined,
    TERMII_API_KEY: undefined,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: demoPassword,
    // Long enough to show a dispute over held money; earlier deliveries are due immediately.
    RELEASE_AFTER_HOURS: undefined,
    // The story saves bank accounts four days before their first payout.
    PAYOUT_WAIT_HOURS: undefined,
  });
  if (config.isProduction) {
    throw new StartupError(
      'The demo has passwords that everybody knows and is refused with NODE_ENV=production; unset it.',
    );
  }
  // The seeded story lies in the past; afterwards the clock is the machine's.
  let told: number | undefined = Date.now();
  const now = () => new Date(told ?? Date.now());
  await serve({
    config,
    open: openInMemory,
    now,
    beforeReady: async (app, db) => {
      const accounts = await seedDemo({
        app,
        admin,
        money: { db, now, terms: config.moneyTerms },
        realNow: Date.now(),
        setNow: (ms) => {
          told = ms;
        },
      });
      told = undefined;
      tell(accounts);
    },
  });
});
