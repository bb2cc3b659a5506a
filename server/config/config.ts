/** The configuration, read from the environment once at start. */
import * as v from 'valibot';
import type { Handover } from '#contract/package.ts';
import { isKeyPair, type VapidKeys } from '#server/modules/notifications/vapid.ts';
import type { MoneyTerms } from '#server/modules/packages/package-money.ts';
import type { TermiiChannel } from '#server/modules/texts/providers/termii.ts';
import { fromProjectRoot } from './project-root.ts';
import { readS3Address, type S3Address } from './s3-address.ts';
import { type Environment, environmentSchema, type SettingName, settings } from './settings.ts';
import { StartupError } from './startup-error.ts';
import { type Tiles, tilesOf } from './tile-settings.ts';

export interface Config {
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** Undefined: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  isProduction: boolean;
  isTest: boolean;
  isRateLimited: boolean;
  callsPerMinute: number;
  /** Enforced even without rate limits. */
  maxCarried: number;
  acceptsPerHour: number;
  createsPerHour: number;
  moneyTerms: MoneyTerms;
  handover: Handover;
  /** Link to a person who helps. */
  support: string | null;
  proofDays: number;
  /** Null: pictures are stored in the database. */
  s3: S3Address | null;
  /** Undefined: generated once and stored in the database. */
  jwtSecret: string | undefined;
  admin: { email: string; password: string } | undefined;
  logLevel: Environment['LOG_LEVEL'];
  /** Undefined: /metrics does not exist. */
  metricsToken: string | undefined;
  /** Whose X-Forwarded headers to trust: none (false), one proxy in front (true), or addresses. */
  trustProxy: boolean | string;
  tiles: Tiles;
  /** 'https://kaya.example'; undefined: the host of each request. */
  publicUrl: string | undefined;
  payments: Payments;
  texts: Texts;
  /** `keys` undefined: generated once and stored in the database. */
  vapid: { subject: string; keys: VapidKeys | undefined };
}

export type Payments =
  | { provider: 'sandbox' }
  | {
      provider: 'paystack';
      secretKey: string;
      /** Without a trailing slash. */
      url: string;
    };

export type Texts =
  | { provider: 'off' | 'sandbox' }
  | {
      provider: 'termii';
      apiKey: string;
      secretKey: string;
      senderId: string;
      channel: TermiiChannel;
      /** Without a trailing slash. */
      url: string;
    };

/** A setting that another one requires. Throws StartupError without it. */
function needed(values: Environment, name: SettingName, why: string): string {
  const value = values[name];
  if (typeof value === 'string') return value;
  throw new StartupError(`${name} is missing: ${why}.`);
}

/** The sandbox shows codes, so production has none. Throws StartupError. */
function textsOf(values: Environment, isProduction: boolean): Texts {
  const byDefault = isProduction ? 'off' : 'sandbox';
  const { SMS_PROVIDER: provider = values.TERMII_API_KEY ? 'termii' : byDefault } = values;
  if (provider === 'sandbox' && isProduction) {
    throw new StartupError(
      'SMS_PROVIDER=sandbox is refused with NODE_ENV=production; set SMS_PROVIDER=termii, or off for no text messages.',
    );
  }
  if (provider !== 'termii') return { provider };
  const why = 'text messages by Termii need it; or set SMS_PROVIDER=off';
  const url = values.TERMII_URL.replace(/\/+$/, '');
  if (isProduction && !url.startsWith('https://')) {
    throw new StartupError(
      'TERMII_URL must begin with https:// with NODE_ENV=production. Correct it or unset it, then start again.',
    );
  }
  needed(values, 'PUBLIC_URL', 'text messages have links to it; set it, or SMS_PROVIDER=off');
  return {
    provider,
    url,
    channel: values.TERMII_CHANNEL,
    apiKey: needed(values, 'TERMII_API_KEY', why),
    secretKey: needed(values, 'TERMII_SECRET_KEY', why),
    senderId: needed(values, 'TERMII_SENDER_ID', why),
  };
}

/** Play money in production requires an explicit setting. Throws StartupError. */
function paymentsOf(values: Environment, isProduction: boolean): Payments {
  const { PAYMENTS: wanted, PAYSTACK_SECRET_KEY: secretKey, PAYSTACK_URL: url } = values;
  if (wanted === 'sandbox') return { provider: 'sandbox' };
  if (secretKey !== undefined) {
    if (isProduction && !url.startsWith('https://')) {
      throw new StartupError(
        'PAYSTACK_URL must begin with https:// with NODE_ENV=production. Correct it or unset it, then start again.',
      );
    }
    return { provider: 'paystack', secretKey, url: url.replace(/\/+$/, '') };
  }
  if (wanted === undefined && !isProduction) return { provider: 'sandbox' };
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

function vapidOf(values: Environment): Config['vapid'] {
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

function trustProxyOf(setting: string): boolean | string {
  return setting === 'on' || (setting !== 'off' && setting);
}

function adminOf(values: Environment): Config['admin'] {
  const [email, password] = pairOf(values, 'ADMIN_EMAIL', 'ADMIN_PASSWORD') ?? [];
  return email === undefined || password === undefined ? undefined : { email, password };
}

/** Error messages name these, never their values. */
const secrets: readonly string[] = [
  'JWT_SECRET',
  'METRICS_TOKEN',
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'PAYSTACK_SECRET_KEY',
  'S3_URL',
  'TERMII_API_KEY',
  'TERMII_SECRET_KEY',
  'VAPID_PRIVATE_KEY',
] satisfies SettingName[];

/**
 * Reads the settings; an empty variable counts as unset. Throws StartupError with a sentence that
 * names the variable and the remedy.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.keys(settings).flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  const parsed = v.safeParse(environmentSchema, given);
  if (!parsed.success) {
    const issue = parsed.issues[0];
    const name = v.getDotPath(issue) ?? '';
    const shown = secrets.includes(name) ? '' : ` (it is '${given[name] ?? ''}')`;
    const complaint = name === 'ADMIN_EMAIL' ? 'must be an e-mail address' : issue.message;
    throw new StartupError(
      `${name} ${complaint}${shown}. Correct it or unset it, then start again.`,
    );
  }
  const values = parsed.output;
  const isProduction = values.NODE_ENV === 'production';
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
    dataDir: fromProjectRoot(values.DATA_DIR),
    isProduction,
    isTest: values.NODE_ENV === 'test',
    isRateLimited: values.RATE_LIMIT === 'on',
    callsPerMinute: values.CALLS_PER_MINUTE,
    maxCarried: values.MAX_CARRIED,
    acceptsPerHour: values.ACCEPTS_PER_HOUR,
    createsPerHour: values.CREATES_PER_HOUR,
    moneyTerms: {
      releaseAfterMs: Number(values.RELEASE_AFTER_HOURS) * 3_600_000,
      returnFeePercent: Number(values.RETURN_FEE_PERCENT),
    },
    handover: values.HANDOVER,
    support: values.SUPPORT_CONTACT ?? null,
    proofDays: values.PROOF_DAYS,
    s3: values.S3_URL === undefined ? null : readS3Address(values.S3_URL),
    jwtSecret: values.JWT_SECRET,
    admin: adminOf(values),
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    trustProxy: trustProxyOf(values.TRUST_PROXY),
    tiles: tilesOf(values),
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL && new URL(values.PUBLIC_URL).origin,
    payments: paymentsOf(values, isProduction),
    texts: textsOf(values, isProduction),
    vapid: vapidOf(values),
  };
}
