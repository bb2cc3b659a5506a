/** The configuration, read from the environment once at start. */
import * as v from 'valibot';
import { isKeyPair } from '#server/modules/notifications/vapid.ts';
import { isGuessable } from './guessable.ts';
import {
  type Environment,
  environmentSchema,
  isA,
  type SettingName,
  settingNames,
} from './settings.ts';
import { StartupError } from './startup-error.ts';
import { isOfThisMachine, tilesOf } from './tile-settings.ts';

export type Config = ReturnType<typeof readConfig>;

type Texts = Partial<Record<SettingName, string>>;

/** Plain HTTP can be read and changed in transit. Throws StartupError. */
function requireHttps(texts: Texts): void {
  for (const name of settingNames.filter((one) => isA('address', one))) {
    const hosts = [...(texts[name] ?? '').matchAll(/http:\/\/([^\s/,?#]+)/g)];
    const isPlain = hosts.some(([, host = '']) => !isOfThisMachine(`http://${host}`));
    if (isPlain) {
      throw new StartupError(
        `${name} must begin with https:// with NODE_ENV=production. Correct it or unset it, then start again.`,
      );
    }
  }
}

/** Throws StartupError. */
function requireChance(texts: Texts, values: Environment): void {
  const drawn = {
    ...texts,
    PAYSTACK_SECRET_KEY: texts.PAYSTACK_SECRET_KEY?.replace(/^sk_(live|test)_/, ''),
    S3_URL: values.S3_URL?.secretAccessKey,
    SMTP_URL: values.SMTP_URL && new URL(values.SMTP_URL).password,
    // Often on the same machine, and with rules of its own.
    DATABASE_URL: undefined,
  };
  for (const name of settingNames.filter((one) => isA('secret', one))) {
    if (isGuessable(drawn[name] ?? '')) {
      throw new StartupError(
        `${name} is easily guessed. Set it to something drawn by chance, such as from \`openssl rand -hex 32\`, then start again.`,
      );
    }
  }
}

/** A setting that another one requires. Throws StartupError without it. */
function needed(values: Environment, name: SettingName, why: string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  throw new StartupError(`${name} is missing: ${why}.`);
}

/** The sandbox shows codes, so production has none. Throws StartupError. */
function textsOf(values: Environment, isProduction: boolean) {
  const byDefault = isProduction ? 'off' : 'sandbox';
  const { SMS_PROVIDER: provider = values.TERMII_API_KEY ? 'termii' : byDefault } = values;
  if (provider === 'sandbox' && isProduction) {
    throw new StartupError(
      'SMS_PROVIDER=sandbox is refused with NODE_ENV=production; set SMS_PROVIDER=termii, or off for no text messages.',
    );
  }
  const terms = { countries: values.SMS_COUNTRIES, perHour: values.SMS_PER_HOUR };
  if (provider !== 'termii') return { provider, terms };
  const why = 'text messages by Termii need it; or set SMS_PROVIDER=off';
  needed(values, 'PUBLIC_URL', 'text messages have links to it; set it, or SMS_PROVIDER=off');
  return {
    provider,
    terms,
    url: values.TERMII_URL,
    channel: values.TERMII_CHANNEL,
    apiKey: needed(values, 'TERMII_API_KEY', why),
    secretKey: needed(values, 'TERMII_SECRET_KEY', why),
    senderId: needed(values, 'TERMII_SENDER_ID', why),
  };
}

/** The sandbox shows links that open accounts, so production has none. Throws StartupError. */
function mailOf(values: Environment, isProduction: boolean) {
  const { SMTP_URL: url, MAIL_FROM: from } = values;
  if (url === undefined) return { transport: isProduction ? 'off' : 'sandbox' } as const;
  needed(values, 'PUBLIC_URL', 'mails have links to it');
  if (!from) throw new StartupError('MAIL_FROM is missing: mails by SMTP_URL need a sender.');
  // Mail that stays on the machine cannot be read on its way.
  const requiresTls = isProduction && !isOfThisMachine(url.replace(/^smtps?:/, 'http:'));
  return { transport: 'smtp', url, from, requiresTls } as const;
}

/** Play money in production requires an explicit setting. Throws StartupError. */
function paymentsOf(values: Environment, isProduction: boolean) {
  const { PAYMENTS: wanted, PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_URL: url } = values;
  if (wanted === 'sandbox') return { provider: 'sandbox' } as const;
  if (secretKey !== undefined) return { provider: 'paystack', secretKey, url } as const;
  if (wanted === undefined && !isProduction) return { provider: 'sandbox' } as const;
  throw new StartupError(
    'PAYSTACK_SECRET_KEY is missing: set it to take real payments, or set PAYMENTS=sandbox for play money.',
  );
}

/** Two settings that go together, or undefined for neither. Throws StartupError for one alone. */
function pairOf(
  values: Environment,
  first: 'ADMIN_EMAIL' | 'VAPID_PUBLIC_KEY',
  second: 'ADMIN_PASSWORD' | 'VAPID_PRIVATE_KEY',
): [string, string] | undefined {
  const { [first]: one, [second]: other } = values;
  if (one === undefined && other === undefined) return undefined;
  if (one !== undefined && other !== undefined) return [one, other];
  const missing = one === undefined ? first : second;
  throw new StartupError(`${missing} is missing: set both ${first} and ${second}, or neither.`);
}

/** `keys` undefined: generated once and stored in the database. */
function vapidOf(values: Environment) {
  const reachable = values.PUBLIC_URL?.startsWith('https://') ? values.PUBLIC_URL : undefined;
  const subject = values.VAPID_SUBJECT ?? reachable ?? 'mailto:push@kaya.invalid';
  const [publicKey, privateKey] = pairOf(values, 'VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY') ?? [];
  if (publicKey === undefined || privateKey === undefined) return { subject, keys: undefined };
  if (!isKeyPair({ publicKey, privateKey })) {
    throw new StartupError(
      'VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY. Set both keys of one pair, or neither.',
    );
  }
  return { subject, keys: { publicKey, privateKey } };
}

function adminOf(values: Environment) {
  const [email, password] = pairOf(values, 'ADMIN_EMAIL', 'ADMIN_PASSWORD') ?? [];
  return email === undefined || password === undefined ? undefined : { email, password };
}

/**
 * Reads the settings; an empty variable counts as unset. Throws StartupError with a sentence that
 * names the variable and the remedy.
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const given: Texts = Object.fromEntries(
    settingNames.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const parsed = v.safeParse(environmentSchema, given);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    const name = v.getDotPath(issue) as SettingName;
    const shown = isA('secret', name) ? '' : ` (it is '${given[name] ?? ''}')`;
    const complaint = name === 'ADMIN_EMAIL' ? 'must be an e-mail address' : issue.message;
    throw new StartupError(
      `${name} ${complaint}${shown}. Correct it or unset it, then start again.`,
    );
  }
  const values = parsed.output;
  const isProduction = values.NODE_ENV === 'production';
  requireChance(given, values);
  if (isProduction) requireHttps(given);
  if (isProduction && values.RATE_LIMIT === 'off') {
    throw new StartupError(
      'RATE_LIMIT=off is refused with NODE_ENV=production; set RATE_LIMIT=on or unset it.',
    );
  }
  if (isProduction && values.PUBLIC_URL === undefined) {
    throw new StartupError(
      'PUBLIC_URL is missing: set it to where people reach the app, such as https://kaya.example.',
    );
  }
  return {
    port: values.PORT,
    host: values.HOST,
    /** Absolute. */
    dataDir: values.DATA_DIR,
    /** Undefined: the embedded database in `dataDir`. */
    databaseUrl: values.DATABASE_URL,
    isProduction,
    isTest: values.NODE_ENV === 'test',
    isRateLimited: values.RATE_LIMIT === 'on',
    callsPerMinute: values.CALLS_PER_MINUTE,
    changesPerHour: values.CHANGES_PER_HOUR,
    /** Enforced even without rate limits. */
    maxCarried: values.MAX_CARRIED,
    acceptsPerHour: values.ACCEPTS_PER_HOUR,
    createsPerHour: values.CREATES_PER_HOUR,
    moneyTerms: {
      releaseAfterMs: values.RELEASE_AFTER_HOURS * 3_600_000,
      returnFeePercent: values.RETURN_FEE_PERCENT,
    },
    payoutWaitMs: values.PAYOUT_WAIT_HOURS * 3_600_000,
    handover: values.HANDOVER,
    /** Link to a person who helps. */
    support: values.SUPPORT_CONTACT ?? null,
    proofDays: values.PROOF_DAYS,
    /** Null: pictures are stored in the database. */
    s3: values.S3_URL ?? null,
    /** Undefined: generated once and stored in the database. */
    jwtSecret: values.JWT_SECRET,
    admin: adminOf(values),
    logLevel: values.LOG_LEVEL,
    /** Undefined: /metrics does not exist. */
    metricsToken: values.METRICS_TOKEN,
    /** Proxies whose X-Forwarded headers are trusted: none (false), one in front (true), or addresses. */
    trustProxy: values.TRUST_PROXY,
    tiles: tilesOf(values),
    /** 'https://kaya.example'; undefined: the host of each request. */
    publicUrl: values.PUBLIC_URL,
    payments: paymentsOf(values, isProduction),
    texts: textsOf(values, isProduction),
    mail: mailOf(values, isProduction),
    vapid: vapidOf(values),
  };
}
