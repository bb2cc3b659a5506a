/**
 * The server's settings: one schema over the environment (DESIGN.md section 1). `settings` is the
 * table that the README shows; a test holds the two against each other.
 */
import { isIP } from 'node:net';
import * as v from 'valibot';
import { minimumPasswordLength } from '#contract/auth.ts';
import { emailSchema, limits } from '#contract/fields.ts';
import { fromProjectRoot } from './project-root.ts';
import { StartupError } from './startup-error.ts';

export interface Setting {
  name: string;
  /** As in the README: the value that stands where the variable is not set. */
  default: string;
  meaning: string;
}

export const settings = [
  { name: 'PORT', default: '3000', meaning: 'Port to listen on, 0 to 65535; 0 takes a free one.' },
  {
    name: 'HOST',
    default: '127.0.0.1',
    meaning: 'Address to listen on; 0.0.0.0 for every network of the machine.',
  },
  {
    name: 'DATA_DIR',
    default: './data',
    meaning: 'Folder of the embedded database; one server at a time.',
  },
  {
    name: 'NODE_ENV',
    default: 'development',
    meaning: 'development, test or production. Production insists on secure cookies.',
  },
  {
    name: 'RATE_LIMIT',
    default: 'on',
    meaning: 'on or off; off is for tests and refused in production.',
  },
  {
    name: 'JWT_SECRET',
    default: 'made once and kept in the database',
    meaning: 'Signs access tokens; at least 32 characters.',
  },
  {
    name: 'ADMIN_EMAIL',
    default: 'none',
    meaning: 'E-mail of the first admin, made at start; together with ADMIN_PASSWORD.',
  },
  {
    name: 'ADMIN_PASSWORD',
    default: 'none',
    meaning: `Password of the first admin, at least ${minimumPasswordLength} characters.`,
  },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: 'trace, debug, info, warn, error, fatal or silent. Logs are JSON on stderr.',
  },
  {
    name: 'TRUST_PROXY',
    default: 'off',
    meaning: 'on, off, or the addresses of the proxies whose X-Forwarded headers count.',
  },
  {
    name: 'TILE_URL',
    default: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    meaning: 'Template of the map tiles; the Content-Security-Policy follows it.',
  },
  {
    name: 'TILE_ATTRIBUTION',
    default: '© OpenStreetMap contributors',
    meaning: 'Shown on the map.',
  },
] as const satisfies readonly Setting[];

type SettingName = (typeof settings)[number]['name'];

const defaultOf = (name: SettingName): string =>
  settings.find((setting) => setting.name === name)?.default ?? '';

const text = (name: SettingName) => v.optional(v.string(), defaultOf(name));

const portSchema = v.pipe(
  text('PORT'),
  v.regex(/^\d{1,5}$/, 'must be a whole number from 0 to 65535'),
  v.transform(Number),
  v.maxValue(65_535, 'must be a whole number from 0 to 65535'),
);

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

function isTileTemplate(template: string): boolean {
  const hasPlaces = ['{z}', '{x}', '{y}'].every((place) => template.includes(place));
  return hasPlaces && /^https?:\/\/[^\s;,'"]+$/.test(template) && URL.canParse(template);
}

/** 'on', 'off', or addresses and ranges with commas between. */
function isProxyTrust(setting: string): boolean {
  if (setting === 'on' || setting === 'off') return true;
  return setting.split(',').every((part) => {
    const [address = '', prefix, ...rest] = part.trim().split('/');
    const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
    const isRange = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    return bits > 0 && isRange && rest.length === 0;
  });
}

const environmentSchema = v.object({
  PORT: portSchema,
  HOST: v.pipe(
    text('HOST'),
    v.regex(/^[^\s/]+$/, 'must be an address such as 127.0.0.1 or 0.0.0.0'),
  ),
  DATA_DIR: v.pipe(text('DATA_DIR'), v.nonEmpty('must be the path of a folder')),
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
  TRUST_PROXY: v.pipe(
    text('TRUST_PROXY'),
    v.check(
      isProxyTrust,
      "must be 'on', 'off' or a list of addresses such as 10.0.0.1, 10.1.0.0/16",
    ),
  ),
  TILE_URL: v.pipe(
    text('TILE_URL'),
    v.check(isTileTemplate, 'must be an http(s) address with {z}, {x} and {y} in it'),
  ),
  TILE_ATTRIBUTION: text('TILE_ATTRIBUTION'),
});

type Environment = v.InferOutput<typeof environmentSchema>;

export interface Config {
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  isProduction: boolean;
  isRateLimited: boolean;
  /** Undefined: made once and kept in the database. */
  jwtSecret: string | undefined;
  admin: { email: string; password: string } | undefined;
  logLevel: (typeof logLevels)[number];
  /** As Fastify takes it. */
  trustProxy: boolean | string;
  tiles: { url: string; attribution: string };
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
const secrets: readonly string[] = ['JWT_SECRET', 'ADMIN_PASSWORD'] satisfies SettingName[];

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
    isRateLimited: values.RATE_LIMIT === 'on',
    jwtSecret: values.JWT_SECRET,
    admin: adminOf(values),
    logLevel: values.LOG_LEVEL,
    trustProxy: trustProxyOf(values.TRUST_PROXY),
    tiles: { url: values.TILE_URL, attribution: values.TILE_ATTRIBUTION },
  };
}
