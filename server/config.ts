/** What the server is told: one schema over the environment (DESIGN.md section 1). */
import * as v from 'valibot';
import { minimumPasswordLength } from '#contract/auth.ts';
import { emailSchema, limits } from '#contract/fields.ts';
import { isKeyPair, type VapidKeys } from './modules/notifications/vapid.ts';
import { fromProjectRoot } from './project-root.ts';
import {
  isDatabaseUrl,
  isHttpUrl,
  isOrigin,
  isProxyTrust,
  isVapidSubject,
} from './setting-checks.ts';
import { defaultOf, type SettingName, settings } from './settings.ts';
import { StartupError } from './startup-error.ts';
import {
  areHosts,
  isOfNamedHost,
  isStyleUrl,
  isTileTemplate,
  type Tiles,
  tilesOf,
} from './tile-settings.ts';

const text = (name: SettingName) => v.optional(v.string(), defaultOf(name));

const portSchema = v.pipe(
  text('PORT'),
  v.regex(/^\d{1,5}$/, 'must be a whole number from 0 to 65535'),
  v.transform(Number),
  v.maxValue(65_535, 'must be a whole number from 0 to 65535'),
);

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const namedHost =
  'must name its host by letters, digits, dots and hyphens, at most with {s} among them';

const environmentSchema = v.object({
  PORT: portSchema,
  HOST: v.pipe(
    text('HOST'),
    v.regex(/^[^\s/]+$/, 'must be an address such as 127.0.0.1 or 0.0.0.0'),
  ),
  DATA_DIR: v.pipe(text('DATA_DIR'), v.nonEmpty('must be the path of a folder')),
  DATABASE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isDatabaseUrl, 'must look like postgres://user:password@host:5432/name'),
    ),
  ),
  NODE_ENV: v.pipe(
    text('NODE_ENV'),
    v.picklist(['development', 'test', 'production'], 'must be development, test or production'),
  ),
  RATE_LIMIT: v.pipe(text('RATE_LIMIT'), v.picklist(['on', 'off'], "must be 'on' or 'off'")),
  JWT_SECRET: v.optional(v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters'))),
  ADMIN_EMAIL: v.optional(v.pipe(v.string(), emailSchema)),
  ADMIN_PASSWORD: v.optional(
    v.pipe(
      v.string(),
      v.minLength(minimumPasswordLength, `must have at least ${minimumPasswordLength} characters`),
      v.maxLength(limits.password, `must have at most ${limits.password} characters`),
    ),
  ),
  LOG_LEVEL: v.pipe(
    text('LOG_LEVEL'),
    v.picklist(logLevels, `must be one of ${logLevels.join(', ')}`),
  ),
  METRICS_TOKEN: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\x21-\x7e]{32,}$/, 'must have at least 32 visible ASCII characters and no space'),
    ),
  ),
  TRUST_PROXY: v.pipe(
    text('TRUST_PROXY'),
    v.check(
      isProxyTrust,
      "must be 'on', 'off' or a list of addresses such as 10.0.0.1, 10.1.0.0/16",
    ),
  ),
  PUBLIC_URL: v.optional(
    v.pipe(v.string(), v.check(isOrigin, 'must be an http(s) address without a path')),
  ),
  PAYMENTS: v.optional(v.picklist(['paystack', 'sandbox'], "must be 'paystack' or 'sandbox'")),
  PAYSTACK_SECRET_KEY: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^sk_(live|test)_\w{16,}$/,
        'must be sk_live_ or sk_test_ and at least 16 letters and digits',
      ),
    ),
  ),
  PAYSTACK_URL: v.pipe(text('PAYSTACK_URL'), v.check(isHttpUrl, 'must be an http(s) address')),
  VAPID_PUBLIC_KEY: v.optional(
    v.pipe(v.string(), v.regex(/^B[\w-]{86}$/, 'must be 65 bytes in base64url')),
  ),
  VAPID_PRIVATE_KEY: v.optional(
    v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'must be 32 bytes in base64url')),
  ),
  VAPID_SUBJECT: v.optional(
    v.pipe(
      v.string(),
      v.check(isVapidSubject, 'must be mailto:you@example.com or an https address'),
    ),
  ),
  TILE_URL: v.pipe(
    text('TILE_URL'),
    v.check(isTileTemplate, "must be 'off' or an http(s) address with {z}, {x} and {y} in it"),
    v.check(isOfNamedHost, namedHost),
  ),
  TILE_STYLE_URL: v.optional(
    v.pipe(
      v.string(),
      v.check(isStyleUrl, 'must be the http(s) address of a style'),
      v.check(isOfNamedHost, namedHost),
    ),
  ),
  TILE_HOSTS: v.optional(
    v.pipe(
      v.string(),
      v.check(areHosts, 'must be http(s) hosts without a path, with commas between'),
    ),
  ),
  TILE_ATTRIBUTION: text('TILE_ATTRIBUTION'),
});

type Environment = v.InferOutput<typeof environmentSchema>;

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
  /** Undefined: made once and kept in the database. */
  jwtSecret: string | undefined;
  admin: { email: string; password: string } | undefined;
  logLevel: (typeof logLevels)[number];
  /** Undefined: nobody reads /metrics. */
  metricsToken: string | undefined;
  /** Whose X-Forwarded headers count: nobody's, the one proxy in front (true), or addresses. */
  trustProxy: boolean | string;
  tiles: Tiles;
  /** 'https://kaya.example'; undefined: where a request came to. */
  publicUrl: string | undefined;
  payments: Payments;
  /** The keys undefined: made once and kept in the database. */
  vapid: { subject: string; keys: VapidKeys | undefined };
}

export type Payments =
  | { provider: 'sandbox' }
  | {
      provider: 'paystack';
      secretKey: string;
      /** Without a slash at its end. */
      url: string;
    };

/** Play money in production must be somebody's decision. */
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

function vapidOf(values: Environment): Config['vapid'] {
  const { VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey, PUBLIC_URL } = values;
  const reachable = PUBLIC_URL?.startsWith('https://') ? PUBLIC_URL : undefined;
  const subject = values.VAPID_SUBJECT ?? reachable ?? 'mailto:push@kaya.invalid';
  if (publicKey === undefined && privateKey === undefined) return { subject, keys: undefined };
  if (publicKey === undefined || privateKey === undefined) {
    const missing = publicKey === undefined ? 'VAPID_PUBLIC_KEY' : 'VAPID_PRIVATE_KEY';
    throw new StartupError(
      `${missing} is missing: set both VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY, or neither.`,
    );
  }
  if (!isKeyPair({ publicKey, privateKey })) {
    throw new StartupError(
      'VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY. Set the two of one pair, or neither.',
    );
  }
  return { subject, keys: { publicKey, privateKey } };
}

function trustProxyOf(setting: string): boolean | string {
  return setting === 'on' || (setting !== 'off' && setting);
}

function adminOf({ ADMIN_EMAIL: email, ADMIN_PASSWORD: password }: Environment): Config['admin'] {
  if (email === undefined && password === undefined) return undefined;
  if (email !== undefined && password !== undefined) return { email, password };
  const missing = email === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD';
  throw new StartupError(
    `${missing} is missing: set both ADMIN_EMAIL and ADMIN_PASSWORD, or neither.`,
  );
}

/** Secrets are named, never shown. */
const secrets: readonly string[] = [
  'JWT_SECRET',
  'METRICS_TOKEN',
  'ADMIN_PASSWORD',
  'DATABASE_URL',
  'PAYSTACK_SECRET_KEY',
  'VAPID_PRIVATE_KEY',
] satisfies SettingName[];

/**
 * Reads the settings; an empty variable counts as not set. Throws StartupError with one sentence
 * that names the variable and says what to do.
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    settings.flatMap(({ name }) => (environment[name] ? [[name, environment[name]]] : [])),
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
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: fromProjectRoot(values.DATA_DIR),
    isProduction,
    isTest: values.NODE_ENV === 'test',
    isRateLimited: values.RATE_LIMIT === 'on',
    jwtSecret: values.JWT_SECRET,
    admin: adminOf(values),
    logLevel: values.LOG_LEVEL,
    metricsToken: values.METRICS_TOKEN,
    trustProxy: trustProxyOf(values.TRUST_PROXY),
    tiles: tilesOf(values),
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL && new URL(values.PUBLIC_URL).origin,
    payments: paymentsOf(values, isProduction),
    vapid: vapidOf(values),
  };
}
