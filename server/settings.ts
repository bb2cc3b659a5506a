/** The settings by name, as the README shows them; a test holds the two against each other. */
import { minimumPasswordLength } from '#contract/auth.ts';

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
    name: 'DATABASE_URL',
    default: 'none',
    meaning:
      'A PostgreSQL 13 or newer, postgres://user:password@host:5432/name, in place of the embedded database; any number of servers at a time.',
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
    name: 'METRICS_TOKEN',
    default: 'none',
    meaning:
      'Who sends it as a bearer token may read /metrics; at least 32 characters. Without it there is no such path.',
  },
  {
    name: 'TRUST_PROXY',
    default: 'off',
    meaning:
      'off, on (one proxy in front), or the addresses of the proxies whose X-Forwarded headers count.',
  },
  {
    name: 'PUBLIC_URL',
    default: 'the address each request came to',
    meaning:
      'Where people reach the app, such as https://kaya.example; the payment page returns there.',
  },
  {
    name: 'PAYMENTS',
    default: 'paystack with a PAYSTACK_SECRET_KEY, else sandbox',
    meaning:
      'paystack or sandbox, a provider of play money on the same server. Production insists on a choice.',
  },
  {
    name: 'PAYSTACK_SECRET_KEY',
    default: 'none',
    meaning: "Paystack's secret key, sk_live_… or sk_test_….",
  },
  {
    name: 'PAYSTACK_URL',
    default: 'https://api.paystack.co',
    meaning: "Where Paystack's protocol is spoken.",
  },
  {
    name: 'VAPID_PUBLIC_KEY',
    default: 'made once and kept in the database',
    meaning: 'Signs notifications for the push services; together with VAPID_PRIVATE_KEY.',
  },
  {
    name: 'VAPID_PRIVATE_KEY',
    default: 'made once and kept in the database',
    meaning:
      'Its private half. With another pair, phones subscribe anew when the app is next opened.',
  },
  {
    name: 'VAPID_SUBJECT',
    default: 'the PUBLIC_URL where it is https, else mailto:push@kaya.invalid',
    meaning: 'Whom push services turn to: mailto:you@example.com or an https address.',
  },
  {
    name: 'TILE_URL',
    default: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    meaning:
      'Template of the map tiles, or off for no map; the Content-Security-Policy follows it.',
  },
  {
    name: 'TILE_STYLE_URL',
    default: 'none',
    meaning: 'Address of a map style (JSON, such as that of vector tiles) in place of TILE_URL.',
  },
  {
    name: 'TILE_HOSTS',
    default: 'none',
    meaning:
      'Further hosts that the style names, for its tiles, letters and signs, with commas between: https://fonts.example.',
  },
  {
    name: 'TILE_ATTRIBUTION',
    default: '© OpenStreetMap contributors',
    meaning: 'Shown on the map.',
  },
] as const satisfies readonly Setting[];

export type SettingName = (typeof settings)[number]['name'];

export const defaultOf = (name: SettingName): string =>
  settings.find((setting) => setting.name === name)?.default ?? '';
