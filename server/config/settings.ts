/**
 * All settings: meaning, default, and a schema that makes the text of the environment the value the
 * server uses. `Config` follows from them; a test compares them with docs/configuration.md.
 */
import * as v from 'valibot';
import { minimumPasswordLength } from '#contract/auth.ts';
import { emailSchema, limits } from '#contract/fields.ts';
import { handovers } from '#contract/package.ts';
import { termiiChannels } from '#server/modules/texts/providers/termii.ts';
import { fromProjectRoot } from './project-root.ts';
import { isProxyTrust, isTooTrusting } from './proxy-trust.ts';
import { readS3Address } from './s3-address.ts';
import { areHosts, isOfNamedHost, isStyleUrl, isTileTemplate } from './tile-settings.ts';

/** TLS from the first byte (smtps), or by STARTTLS; user and password are optional. */
function isSmtpUrl(text: string): boolean {
  if (!/^smtps?:\/\//.test(text) || !URL.canParse(text)) return false;
  const { hostname, pathname, search, hash } = new URL(text);
  return hostname !== '' && ['', '/'].includes(pathname) && search === '' && hash === '';
}

/** 'Kaya <post@kaya.example>', or the address alone. */
export function readSender(text: string): { name: string; address: string } | null {
  const [, name = '', inner] = /^([^<>"]*)<([^<>]+)>$/.exec(text) ?? [];
  const address = v.safeParse(emailSchema, inner ?? text);
  return address.success ? { name: name.trim(), address: address.output } : null;
}

function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function isOrigin(text: string): boolean {
  return isHttpUrl(text) && [new URL(text).origin, `${new URL(text).origin}/`].includes(text);
}

/** Push services reject a contact that cannot be reached. */
function isVapidSubject(text: string): boolean {
  if (text.startsWith('mailto:')) return v.is(emailSchema, text.slice('mailto:'.length));
  return /^https:\/\//.test(text) && URL.canParse(text);
}

/** A link that phones open: a mail, a call, or a page such as https://wa.me/2348031234567. */
function isSupportContact(text: string): boolean {
  return /^tel:\+?\d{3,15}$/.test(text) || isVapidSubject(text);
}

const matching = (pattern: RegExp, rule: string) => v.pipe(v.string(), v.regex(pattern, rule));
const checked = (isValid: (text: string) => boolean, rule: string) =>
  v.pipe(v.string(), v.check(isValid, rule));
/** Without a trailing slash. */
const baseUrlSchema = v.pipe(
  checked(isHttpUrl, 'must be an http(s) address'),
  v.transform((url) => url.replace(/\/+$/, '')),
);

const portRule = 'must be a whole number from 0 to 65535';
const portSchema = v.pipe(
  v.string(),
  v.regex(/^\d{1,5}$/, portRule),
  v.transform(Number),
  v.maxValue(65_535, portRule),
);

const countSchema = v.pipe(
  v.string(),
  v.regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 999999999'),
  v.transform(Number),
);

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

const namedHost =
  'must name its host by letters, digits, dots and hyphens, at most with {s} among them';

/** secret: no error message shows it, and it is drawn by chance. address: https in production. */
type Trait = 'secret' | 'address';

const given = <S extends v.GenericSchema<string, unknown>>(
  value: string,
  meaning: string,
  schema: S,
  ...traits: Trait[]
) => ({
  default: value,
  meaning,
  traits,
  schema: v.optional(schema, () => value as v.InferInput<S>),
});

const optional = <S extends v.GenericSchema<string, unknown>>(
  documented: string,
  meaning: string,
  schema: S,
  ...traits: Trait[]
) => ({ default: documented, meaning, traits, schema: v.optional(schema) });

const visibleKey = matching(
  /^[\x21-\x7e]{16,200}$/,
  'must have 16 to 200 visible ASCII characters and no space',
);

export const settings = {
  PORT: given('3000', 'Port to listen on, 0 to 65535; 0 takes a free one.', portSchema),
  HOST: given(
    '127.0.0.1',
    'Address to listen on; 0.0.0.0 for every interface of the machine.',
    matching(/^[^\s/]+$/, 'must be an address such as 127.0.0.1 or 0.0.0.0'),
  ),
  DATA_DIR: given(
    './data',
    'Folder of the embedded database; one server process at a time.',
    v.pipe(v.string(), v.nonEmpty('must be the path of a folder'), v.transform(fromProjectRoot)),
  ),
  DATABASE_URL: optional(
    'none',
    'PostgreSQL 13 or newer, postgres://user:password@host:5432/name, instead of the embedded database; any number of server processes at a time.',
    checked(isDatabaseUrl, 'must look like postgres://user:password@host:5432/name'),
    'secret',
  ),
  NODE_ENV: given(
    'development',
    'development, test or production. Production sets Secure cookies and HSTS.',
    v.picklist(['development', 'test', 'production'], 'must be development, test or production'),
  ),
  RATE_LIMIT: given(
    'on',
    'on or off; off is for tests and refused in production.',
    v.picklist(['on', 'off'], "must be 'on' or 'off'"),
  ),
  CALLS_PER_MINUTE: given(
    '1200',
    'Calls of one user, those of one address without a session, and those of recipients there, at one process.',
    countSchema,
  ),
  CHANGES_PER_HOUR: given(
    '3000',
    'Calls of one user that may change something, in an hour, at one process.',
    countSchema,
  ),
  MAX_CARRIED: given(
    '20',
    'Packages in transit with one courier before they may accept another.',
    countSchema,
  ),
  ACCEPTS_PER_HOUR: given(
    '60',
    'Packages that one courier may accept in an hour, given back or not.',
    countSchema,
  ),
  RELEASE_AFTER_HOURS: given(
    '24',
    'Hours until the courier gets what is held for an unverified delivery; 0: at once.',
    v.pipe(matching(/^\d{1,3}$/, 'must be a whole number from 0 to 999'), v.transform(Number)),
  ),
  RETURN_FEE_PERCENT: given(
    '50',
    'Share of the held price that the courier gets for a return which was not their fault, 0 to 100.',
    v.pipe(
      matching(/^(\d{1,2}|100)$/, 'must be a whole number from 0 to 100'),
      v.transform(Number),
    ),
  ),
  PAYOUT_WAIT_HOURS: given(
    '24',
    'Hours before the first payout to a new bank account, in which its owner can object; 0: none.',
    v.pipe(matching(/^\d{1,3}$/, 'must be a whole number from 0 to 999'), v.transform(Number)),
  ),
  CREATES_PER_HOUR: given('300', 'Packages that one account may create in an hour.', countSchema),
  HANDOVER: given(
    'none',
    'How recipients show that a package is theirs where its sender does not choose: none, or code.',
    v.picklist(handovers, "must be 'none' or 'code'"),
  ),
  SUPPORT_CONTACT: optional(
    'none',
    'How users reach a person, offered under Support: mailto:help@example.com, tel:+2348031234567 or https://wa.me/2348031234567.',
    checked(
      isSupportContact,
      'must be mailto:you@example.com, tel:+2348031234567 or an https address',
    ),
  ),
  PROOF_DAYS: given(
    '90',
    'Days that photos and signatures are kept; longer while there is an open dispute.',
    countSchema,
  ),
  S3_URL: optional(
    'none: in the database',
    'S3-compatible store of new photos and signatures, https://KEY:SECRET@host/bucket?region=eu-west-1; key and secret percent-encoded.',
    v.pipe(
      checked(
        (text) => readS3Address(text) !== null,
        'must look like https://KEY:SECRET@host/bucket?region=eu-west-1, with a / of the secret as %2F',
      ),
      v.transform(readS3Address),
    ),
    'secret',
    'address',
  ),
  JWT_SECRET: optional(
    'generated once and stored in the database',
    'Signs access tokens; at least 32 characters.',
    v.pipe(v.string(), v.minLength(32, 'must have at least 32 characters')),
    'secret',
  ),
  ADMIN_EMAIL: optional(
    'none',
    'Email of the first admin, created at start; requires ADMIN_PASSWORD.',
    v.pipe(v.string(), emailSchema),
  ),
  ADMIN_PASSWORD: optional(
    'none',
    `Password of the first admin, at least ${minimumPasswordLength} characters.`,
    v.pipe(
      v.string(),
      v.minLength(minimumPasswordLength, `must have at least ${minimumPasswordLength} characters`),
      v.maxLength(limits.password, `must have at most ${limits.password} characters`),
    ),
    'secret',
  ),
  LOG_LEVEL: given(
    'info',
    'trace, debug, info, warn, error, fatal or silent. Logs are JSON on stderr.',
    v.picklist(logLevels, `must be one of ${logLevels.join(', ')}`),
  ),
  METRICS_TOKEN: optional(
    'none',
    'Bearer token that grants access to /metrics; at least 32 characters. Without it the path does not exist.',
    matching(/^[\x21-\x7e]{32,}$/, 'must have at least 32 visible ASCII characters and no space'),
    'secret',
  ),
  TRUST_PROXY: given(
    'off',
    'off, on (one proxy in front), or the addresses of the proxies whose X-Forwarded headers are trusted.',
    v.pipe(
      v.string(),
      v.check(
        isProxyTrust,
        "must be 'on', 'off' or a list of addresses such as 10.0.0.1, 10.1.0.0/16",
      ),
      v.check(
        (text) => !isTooTrusting(text),
        'must be the addresses of proxies only: so wide a range lets anyone forge where a call comes from',
      ),
      v.transform((trusted) => trusted === 'on' || (trusted !== 'off' && trusted)),
    ),
  ),
  PUBLIC_URL: optional(
    'the host of each request',
    'Public origin of the app, such as https://kaya.example; the payment page returns there. Required in production.',
    v.pipe(
      checked(isOrigin, 'must be an http(s) address without a path'),
      v.transform((url) => new URL(url).origin),
    ),
    'address',
  ),
  PAYMENTS: optional(
    'paystack with a PAYSTACK_SECRET_KEY, else sandbox',
    'paystack or sandbox, a play-money provider on the same server. Production requires a choice.',
    v.picklist(['paystack', 'sandbox'], "must be 'paystack' or 'sandbox'"),
  ),
  PAYSTACK_SECRET_KEY: optional(
    'none',
    "Paystack's secret key, sk_live_… or sk_test_….",
    v.pipe(
      v.string(),
      v.regex(
        /^sk_(live|test)_\w{16,}$/,
        'must be sk_live_ or sk_test_ and at least 16 letters and digits',
      ),
    ),
    'secret',
  ),
  PAYSTACK_URL: given(
    'https://api.paystack.co',
    "Base URL of Paystack's API.",
    baseUrlSchema,
    'address',
  ),
  SMS_PROVIDER: optional(
    'termii with a TERMII_API_KEY, else sandbox, in production off',
    'termii, sandbox (a phone at the address that the log of the start names, for its own machine only; refused in production) or off: who sends text messages to recipients.',
    v.picklist(['termii', 'sandbox', 'off'], "must be 'termii', 'sandbox' or 'off'"),
  ),
  SMS_COUNTRIES: given(
    '234',
    'Country codes that text messages are sent to, comma-separated: 234, 229.',
    v.pipe(
      matching(
        /^ *[1-9]\d{0,6} *(, *[1-9]\d{0,6} *)*$/,
        'must be country codes such as 234, with commas between',
      ),
      v.transform((codes) => codes.split(',').map((code) => code.trim())),
    ),
  ),
  SMS_PER_HOUR: given(
    '100',
    'Text messages in an hour for packages of one sender, and for steps of one courier.',
    countSchema,
  ),
  TERMII_API_KEY: optional(
    'none',
    "Termii's API key; requires TERMII_SECRET_KEY, TERMII_SENDER_ID and PUBLIC_URL.",
    visibleKey,
    'secret',
  ),
  TERMII_SECRET_KEY: optional(
    'none',
    "Termii's secret key, which signs its webhooks.",
    visibleKey,
    'secret',
  ),
  TERMII_SENDER_ID: optional(
    'none',
    'Sender of the messages as registered with Termii, 3 to 11 letters and digits.',
    matching(
      /^(?=.*[A-Za-z])[A-Za-z0-9][A-Za-z0-9 ]{1,9}[A-Za-z0-9]$/,
      'must be 3 to 11 letters and digits',
    ),
  ),
  TERMII_CHANNEL: given(
    'dnd',
    'dnd, which reaches numbers that block advertising and which Termii enables on request, or generic.',
    v.picklist(termiiChannels, "must be 'dnd' or 'generic'"),
  ),
  TERMII_URL: given(
    'https://api.ng.termii.com',
    "Base URL of Termii's API, as the account's dashboard names it.",
    baseUrlSchema,
    'address',
  ),
  SMTP_URL: optional(
    'none: a sandbox mailbox at /sandbox/mail, for its own machine only; in production no mail is sent',
    'Mail server, smtps://user:password@host or smtp://user:password@host:587; user and password percent-encoded. Requires MAIL_FROM and PUBLIC_URL.',
    checked(
      isSmtpUrl,
      'must look like smtps://user:password@host or smtp://user:password@host:587',
    ),
    'secret',
  ),
  MAIL_FROM: optional(
    'none',
    'Sender of the mails: Kaya <post@kaya.example>, or the address alone.',
    v.pipe(
      checked(
        (text) => readSender(text) !== null,
        'must look like Kaya <post@kaya.example>, or be an address',
      ),
      v.transform(readSender),
    ),
  ),
  VAPID_PUBLIC_KEY: optional(
    'generated once and stored in the database',
    'Signs notifications for push services; requires VAPID_PRIVATE_KEY.',
    matching(/^B[\w-]{86}$/, 'must be 65 bytes in base64url'),
  ),
  VAPID_PRIVATE_KEY: optional(
    'generated once and stored in the database',
    'Its private half. After a change, phones resubscribe when the app is next opened.',
    matching(/^[\w-]{43}$/, 'must be 32 bytes in base64url'),
    'secret',
  ),
  VAPID_SUBJECT: optional(
    'the PUBLIC_URL if it is https, else mailto:push@kaya.invalid',
    'Contact for push services: mailto:you@example.com or an https address.',
    checked(isVapidSubject, 'must be mailto:you@example.com or an https address'),
  ),
  TILE_URL: given(
    'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    'Template of the map tiles, or off for no map; the Content-Security-Policy follows it.',
    v.pipe(
      v.string(),
      v.check(isTileTemplate, "must be 'off' or an http(s) address with {z}, {x} and {y} in it"),
      v.check(isOfNamedHost, namedHost),
    ),
    'address',
  ),
  TILE_STYLE_URL: optional(
    'none',
    'URL of a map style (JSON, such as one for vector tiles) instead of TILE_URL.',
    v.pipe(
      v.string(),
      v.check(isStyleUrl, 'must be the http(s) address of a style'),
      v.check(isOfNamedHost, namedHost),
    ),
    'address',
  ),
  TILE_HOSTS: optional(
    'none',
    'Further hosts that the style uses for tiles, glyphs and sprites, comma-separated: https://fonts.example.',
    checked(areHosts, 'must be http(s) hosts without a path, with commas between'),
    'address',
  ),
  TILE_ATTRIBUTION: given('© OpenStreetMap contributors', 'Shown on the map.', v.string()),
};

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];

export const isA = (trait: Trait, name: SettingName): boolean =>
  settings[name].traits.includes(trait);

type Schemas = { [Name in SettingName]: (typeof settings)[Name]['schema'] };

export const environmentSchema = v.object(
  Object.fromEntries(
    Object.entries(settings).map(([name, { schema }]) => [name, schema]),
  ) as Schemas,
);
export type Environment = v.InferOutput<typeof environmentSchema>;
