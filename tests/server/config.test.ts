import { randomBytes, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { isOfMap } from '#domain/tile-source.ts';
import { readConfig } from '#server/config/config.ts';
import { isGuessable } from '#server/config/guessable.ts';
import { settings } from '#server/config/settings.ts';

const places = '{z}/{x}/{y}.png';

describe('settings', () => {
  it('have defaults for local development', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      isProduction: false,
      isRateLimited: true,
      admin: undefined,
      jwtSecret: undefined,
      logLevel: 'info',
      trustProxy: false,
    });
    expect(readConfig({ PORT: '' }).port).toBe(3000);
  });

  it.each([
    ['PORT', 'abc'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '3000.5'],
    ['PORT', '0x10'],
    ['HOST', 'two words'],
    ['NODE_ENV', 'prod'],
    ['RATE_LIMIT', 'false'],
    ['MAX_CARRIED', '0'],
    ['ACCEPTS_PER_HOUR', 'many'],
    ['CREATES_PER_HOUR', '1.5'],
    ['CALLS_PER_MINUTE', '-1'],
    ['JWT_SECRET', 'too-short'],
    ['LOG_LEVEL', 'loud'],
    ['S3_URL', 'https://s3.example/bucket'],
    ['S3_URL', 'https://key:secret@s3.example/bucket?area=eu'],
    ['S3_URL', 's3://key:secret@bucket'],
    ['METRICS_TOKEN', 'x'.repeat(31)],
    ['METRICS_TOKEN', `two words ${'x'.repeat(31)}`],
    ['TRUST_PROXY', 'maybe'],
    ['TRUST_PROXY', 'abc'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '10.0.0.1,'],
    ['TRUST_PROXY', '0.0.0.0/0'],
    ['TRUST_PROXY', '::/0'],
    ['TRUST_PROXY', '203.0.113.7/0'],
    ['TRUST_PROXY', '0.0.0.0/1, 128.0.0.0/1'],
    ['TRUST_PROXY', '10.0.0.0/6'],
    ['TRUST_PROXY', '2000::/3'],
    ['TRUST_PROXY', '::/1, 8000::/1'],
    // All of IPv4, by its names in IPv6.
    ['TRUST_PROXY', '::ffff:0:0/96'],
    ['TRUST_PROXY', '::ffff:0.0.0.0/97, ::ffff:128.0.0.0/97'],
    ['TRUST_PROXY', '::/80'],
    ['TRUST_PROXY', '12.0.0.0/8, 13.0.0.0/8, 14.0.0.0/8'],
    ['SMS_COUNTRIES', 'NG'],
    ['SMS_COUNTRIES', '+234'],
    ['SMS_COUNTRIES', '234,'],
    ['SMS_PER_HOUR', '0'],
    ['CHANGES_PER_HOUR', '-1'],
    ['TILE_URL', 'https://tiles.example/'],
    ['TILE_URL', "https://tiles.example'; script-src *;/{z}/{x}/{y}"],
    ['TILE_URL', 'ftp://tiles.example/{z}/{x}/{y}'],
    ['TILE_STYLE_URL', "https://tiles.example/'; script-src *"],
    ['TILE_HOSTS', 'https://fonts.example/path'],
    ['TILE_HOSTS', 'https://fonts.example, *'],
    ['TILE_HOSTS', 'https://a.example:99999'],
    ['TILE_HOSTS', 'https://user@a.example'],
    ['TILE_HOSTS', 'https://a.*.example'],
    ['TILE_HOSTS', 'https://[::1]'],
    ['TILE_URL', `https://a.example:99999/${places}`],
    ['TILE_URL', `https://[::1]/${places}`],
    ['TILE_URL', `https://user:word@a.example/${places}`],
    ['TILE_URL', 'https://{z}.example/{x}/{y}'],
    ['TILE_STYLE_URL', 'https://[::1]/style.json'],
    ['SMS_PROVIDER', 'twilio'],
    ['SMTP_URL', 'mail.example:587'],
    ['SMTP_URL', 'https://mail.example'],
    ['SMTP_URL', 'smtp://mail.example/inbox'],
    ['SMTP_URL', 'smtp://mail.example?tls.rejectUnauthorized=false'],
    ['MAIL_FROM', 'Kaya'],
    ['MAIL_FROM', 'Kaya <post@kaya.example>, b@kaya.example'],
    ['TERMII_SENDER_ID', 'A name too long'],
    ['TERMII_SENDER_ID', '12345'],
    ['TERMII_CHANNEL', 'whatsapp'],
    ['TERMII_URL', 'termii.test'],
  ])('%s=%s is refused in one sentence that names it', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(
      expect.objectContaining({
        name: 'StartupError',
        message: expect.stringMatching(new RegExp(`^${name} must [^\\n]+\\.$`)),
      }),
    );
  });

  it.each([
    ['on', true],
    ['off', false],
    ['10.0.0.1', '10.0.0.1'],
    ['10.0.0.0/8, fd00::/8', '10.0.0.0/8, fd00::/8'],
    // Ranges of a CDN.
    ['104.16.0.0/13, 2a06:98c0::/29', '104.16.0.0/13, 2a06:98c0::/29'],
    ['::ffff:10.0.0.1', '::ffff:10.0.0.1'],
  ])('TRUST_PROXY=%s is accepted', (value, trustProxy) => {
    expect(readConfig({ TRUST_PROXY: value }).trustProxy).toBe(trustProxy);
  });

  it('refuse a first-admin password that sign-in would refuse', () => {
    const long = { ADMIN_EMAIL: 'a@b.co', ADMIN_PASSWORD: 'x'.repeat(201) };
    expect(() => readConfig(long)).toThrow(/^ADMIN_PASSWORD must have at most 200/);
  });

  it('never show a secret in an error', () => {
    const read = (env: Record<string, string>) => () => readConfig(env);
    expect(read({ JWT_SECRET: 'hush' })).not.toThrow(/hush/);
    expect(read({ ADMIN_EMAIL: 'a@b.co', ADMIN_PASSWORD: 'hush' })).not.toThrow(/hush/);
    expect(read({ METRICS_TOKEN: 'hush' })).not.toThrow(/hush/);
    expect(read({ TERMII_API_KEY: 'hush' })).toThrow(/^TERMII_API_KEY must have (?!.*hush)/);
    expect(read({ TERMII_SECRET_KEY: 'hush' })).toThrow(/^TERMII_SECRET_KEY must have (?!.*hush)/);
    expect(read({ SMTP_URL: 'mail:hush@' })).toThrow(/^SMTP_URL must look like (?!.*hush)/);
    expect(read({ S3_URL: 'https://key:hush@' })).toThrow(/^S3_URL must look like (?!.*hush)/);
  });

  const secretsOf = (drawn: string): Record<string, string>[] => [
    { JWT_SECRET: drawn },
    { METRICS_TOKEN: drawn },
    { TERMII_API_KEY: drawn },
    { TERMII_SECRET_KEY: drawn },
    { PAYSTACK_SECRET_KEY: `sk_test_${drawn.replace(/[^a-z0-9]/gi, 'x')}` },
    { S3_URL: `https://key:${encodeURIComponent(drawn)}@s3.example/bucket` },
    { SMTP_URL: `smtp://kaya:${encodeURIComponent(drawn)}@mail.example` },
    { ADMIN_EMAIL: 'a@b.co', ADMIN_PASSWORD: drawn },
  ];

  it.each([
    'x'.repeat(40),
    '01'.repeat(20),
    'change-me-'.repeat(4),
    'abcdefghijklmnopqrstuvwxyz012345',
    `${'x'.repeat(39)}1`,
    'change-me-change-me-change-me-please!',
    'ChangeMe'.repeat(5),
    `${'password'.repeat(5)}1`,
    'your-256-bit-secret-your-256-bit-secret',
    'your-super-secret-jwt-key-change-this',
    'qwertyuiop'.repeat(4),
    'qwertyuiopasdfghjklzxcvbnm1234567890',
    'replace-with-a-long-random-string!!',
    '12345678901234567890123456789012',
    'deadbeef'.repeat(5),
  ])('refuse %s as a secret, whichever it is, without showing it', (drawn) => {
    for (const environment of secretsOf(drawn)) {
      const name = Object.keys(environment).at(-1) ?? '';
      const read = () => readConfig(environment);
      expect(read).toThrow(new RegExp(`^${name} is easily guessed. [^\\n]+\\.$`));
      expect(read).not.toThrow(drawn);
    }
  });

  it.each([
    ...['password', 'Password1', 'passw0rd', 'admin123', 'administrator', '12345678', 'qwerty123'],
    ...['letmein1', 'changeme', 'change-me', 'aaaaaaaa', 'welcome1', 'secret123', 'P@ssw0rd!'],
  ])('refuse %s as the password of the first admin', (ADMIN_PASSWORD) => {
    const read = () => readConfig({ ADMIN_EMAIL: 'a@b.co', ADMIN_PASSWORD });
    expect(read).toThrow(/^ADMIN_PASSWORD is easily guessed. /);
  });

  it.each([
    ['digits', '0123456789', 16],
    ['digits', '0123456789', 32],
    ['letters', 'abcdefghijklmnopqrstuvwxyz', 12],
    ['letters and digits', 'abcdefghijklmnopqrstuvwxyz0123456789', 10],
    ['hexadecimal digits', '0123456789abcdef', 32],
  ])('take %s (%s) drawn by chance, %i of them', (_, alphabet, length) => {
    const draw = () => alphabet[randomInt(alphabet.length)];
    const drawn = Array.from({ length: 3000 }, () => Array.from({ length }, draw).join(''));
    expect(drawn.filter(isGuessable)).toEqual([]);
  });

  it('take a secret that was drawn by chance', () => {
    const kinds = ['hex', 'base64url'] as const;
    for (const kind of kinds) {
      for (let n = 0; n < 200; n += 1) {
        const JWT_SECRET = randomBytes(32).toString(kind);
        expect(readConfig({ JWT_SECRET }).jwtSecret).toBe(JWT_SECRET);
      }
    }
    const chosen = ['kofar-mata', 'kaya-demo', 'long-enough', 'correct horse', 'Zinaria2026'];
    for (const ADMIN_PASSWORD of chosen) {
      expect(readConfig({ ADMIN_EMAIL: 'a@b.co', ADMIN_PASSWORD }).admin).toBeDefined();
    }
  });

  it.each([
    ['PUBLIC_URL', (host: string) => `http://${host}`],
    ['PAYSTACK_URL', (host: string) => `http://${host}`],
    ['TERMII_URL', (host: string) => `http://${host}/v3`],
    ['S3_URL', (host: string) => `http://key:s%2Fcret@${host}/bucket`],
    ['TILE_URL', (host: string) => `http://${host}/{z}/{x}/{y}.png`],
    ['TILE_STYLE_URL', (host: string) => `http://${host}/style.json`],
    ['TILE_HOSTS', (host: string) => `https://a.example, http://${host}`],
  ])('with NODE_ENV=production %s is https, but for this machine', (name, urlOf) => {
    const read = (host: string) => () =>
      readConfig({ ...inProduction, PUBLIC_URL: 'http://localhost:3000', [name]: urlOf(host) });
    for (const host of ['kaya.example', 'kaya.example:8080', '10.0.0.4', 'localhost.example']) {
      const said = new RegExp(`^${name} must begin with https:// [^\\n]+\\.$`);
      expect(read(host), host).toThrow(said);
    }
    for (const host of ['localhost:3001', '127.0.0.1:3001']) expect(read(host)).not.toThrow();
    expect(readConfig({ [name]: urlOf('kaya.example') })).toBeDefined();
  });

  const termii = {
    TERMII_API_KEY: 'TL5f0c9b2e7d41a836',
    TERMII_SECRET_KEY: 'tsk_c27e91d05ab3f864',
    TERMII_SENDER_ID: 'Kaya',
    PUBLIC_URL: 'https://kaya.example',
  };
  const inProduction = { NODE_ENV: 'production', PAYMENTS: 'sandbox' };

  it('have text messages by Termii with all of its settings', () => {
    expect(readConfig({ ...termii, ...inProduction }).texts).toEqual({
      provider: 'termii',
      url: 'https://api.ng.termii.com',
      channel: 'dnd',
      apiKey: 'TL5f0c9b2e7d41a836',
      secretKey: 'tsk_c27e91d05ab3f864',
      senderId: 'Kaya',
      terms: { countries: ['234'], perHour: 100 },
    });
    const more = { SMS_PROVIDER: 'off', SMS_COUNTRIES: '234, 229', SMS_PER_HOUR: '5' };
    expect(readConfig({ ...termii, ...more }).texts).toEqual({
      provider: 'off',
      terms: { countries: ['234', '229'], perHour: 5 },
    });
  });

  it.each([
    ['TERMII_API_KEY'],
    ['TERMII_SECRET_KEY'],
    ['TERMII_SENDER_ID'],
    ['PUBLIC_URL'],
  ])('refuse text messages by Termii without %s', (name) => {
    const read = () => readConfig({ ...termii, SMS_PROVIDER: 'termii', [name]: '' });
    expect(read).toThrow(new RegExp(`^${name} is missing: [^\\n]+\\.$`));
  });

  it('send no text messages in production by themselves, and never to the sandbox phone', () => {
    const production = { ...inProduction, PUBLIC_URL: 'https://kaya.example' };
    expect(readConfig({}).texts).toMatchObject({ provider: 'sandbox' });
    expect(readConfig(production).texts).toMatchObject({ provider: 'off' });
    const sandbox = () => readConfig({ ...production, SMS_PROVIDER: 'sandbox' });
    expect(sandbox).toThrow(/^SMS_PROVIDER=sandbox is refused with NODE_ENV=production/);
    const plain = () => readConfig({ ...production, ...termii, TERMII_URL: 'http://termii.test' });
    expect(plain).toThrow(/^TERMII_URL must begin with https:/);
  });

  it.each([
    [
      'https://me:a%2Fb%2Bc=@s3.example/pics?region=eu-west-1',
      'https://s3.example/pics',
      'eu-west-1',
    ],
    [
      'http://me:a%2Fb+c=@127.0.0.1:9000/pics/kaya/',
      'http://127.0.0.1:9000/pics/kaya',
      'us-east-1',
    ],
    ['https://me:a%2Fb+c%3D@pics.s3.example', 'https://pics.s3.example', 'us-east-1'],
  ])('read S3_URL %s', (S3_URL, base, region) => {
    const credentials = { accessKeyId: 'me', secretAccessKey: 'a/b+c=' };
    expect(readConfig({ S3_URL }).s3).toEqual({ base, region, ...credentials });
  });

  it('send mails by SMTP with a sender and an address for links, over TLS in production', () => {
    const PUBLIC_URL = 'https://kaya.example';
    const SMTP_URL = 'smtp://mail.example:587';
    const MAIL_FROM = 'Kaya Post <Post@Kaya.example>';
    expect(() => readConfig({ SMTP_URL, MAIL_FROM })).toThrow(/^PUBLIC_URL is missing/);
    expect(() => readConfig({ SMTP_URL, PUBLIC_URL })).toThrow(/^MAIL_FROM is missing/);
    const given = { SMTP_URL, MAIL_FROM, PUBLIC_URL };
    const from = { name: 'Kaya Post', address: 'post@kaya.example' };
    const smtp = { transport: 'smtp', url: SMTP_URL, from };
    expect(readConfig(given).mail).toEqual({ ...smtp, requiresTls: false });
    const production = { ...given, NODE_ENV: 'production', PAYMENTS: 'sandbox' };
    expect(readConfig(production).mail).toEqual({ ...smtp, requiresTls: true });
    const relay = readConfig({ ...production, SMTP_URL: 'smtp://127.0.0.1' });
    expect(relay.mail).toMatchObject({ requiresTls: false });
    const alone = readConfig({ ...given, MAIL_FROM: 'post@kaya.example' });
    expect(alone.mail).toMatchObject({ from: { name: '', address: 'post@kaya.example' } });
  });

  it('send no mail in production by themselves, and never to the sandbox mailbox', () => {
    expect(readConfig({}).mail).toEqual({ transport: 'sandbox' });
    const production = {
      NODE_ENV: 'production',
      PAYMENTS: 'sandbox',
      PUBLIC_URL: 'https://a.example',
    };
    expect(readConfig(production).mail).toEqual({ transport: 'off' });
  });

  it('require both first-admin settings or neither', () => {
    expect(() => readConfig({ ADMIN_EMAIL: 'a@b.co' })).toThrow(/^ADMIN_PASSWORD is missing/);
    expect(() => readConfig({ ADMIN_PASSWORD: 'long-enough' })).toThrow(/^ADMIN_EMAIL is missing/);
    const admin = { ADMIN_EMAIL: ' Boss@Kaya.Test', ADMIN_PASSWORD: 'long-enough' };
    expect(readConfig(admin).admin).toEqual({ email: 'boss@kaya.test', password: 'long-enough' });
  });

  it('require rate limits in production', () => {
    const refused = { NODE_ENV: 'production', RATE_LIMIT: 'off' };
    expect(() => readConfig(refused)).toThrow(/^RATE_LIMIT=off is refused/);
    expect(readConfig({ RATE_LIMIT: 'off' }).isRateLimited).toBe(false);
  });

  it('require a public address in production instead of trusting the Host header', () => {
    const production = { NODE_ENV: 'production', PAYMENTS: 'sandbox' };
    expect(() => readConfig(production)).toThrow(/^PUBLIC_URL is missing: [^\n]+\.$/);
    const PUBLIC_URL = 'https://kaya.example';
    expect(readConfig({ ...production, PUBLIC_URL }).publicUrl).toBe(PUBLIC_URL);
    expect(readConfig({}).publicUrl).toBeUndefined();
  });
});

it('docs list every setting with its default and meaning', () => {
  const rows = Object.entries(settings).map(
    ([name, one]) => `| \`${name}\` | ${one.default} | ${one.meaning} |`,
  );
  const table = ['| variable | default | meaning |', '| --- | --- | --- |', ...rows].join('\n');
  expect(readFileSync('docs/configuration.md', 'utf8')).toContain(`${table}\n\n`);
});

const [pair, other] = [webPush.generateVAPIDKeys(), webPush.generateVAPIDKeys()];

describe('the VAPID settings', () => {
  it('accept a pair and a contact', () => {
    const subject = 'mailto:you@kaya.example';
    const { vapid } = readConfig({
      VAPID_PUBLIC_KEY: pair.publicKey,
      VAPID_PRIVATE_KEY: pair.privateKey,
      VAPID_SUBJECT: subject,
    });
    expect(vapid).toEqual({ subject, keys: pair });
    const secure = readConfig({ PUBLIC_URL: 'https://kaya.example' });
    expect(secure.vapid).toEqual({ subject: 'https://kaya.example', keys: undefined });
  });

  it.each([
    [{ VAPID_PUBLIC_KEY: pair.publicKey }, 'VAPID_PRIVATE_KEY'],
    [{ VAPID_PRIVATE_KEY: pair.privateKey }, 'VAPID_PUBLIC_KEY'],
    [{ VAPID_PUBLIC_KEY: pair.publicKey, VAPID_PRIVATE_KEY: other.privateKey }, 'VAPID_PUBLIC_KEY'],
    [{ VAPID_PRIVATE_KEY: 'short' }, 'VAPID_PRIVATE_KEY'],
    [{ VAPID_SUBJECT: 'call me' }, 'VAPID_SUBJECT'],
    [{ SUPPORT_CONTACT: 'javascript:alert(1)' }, 'SUPPORT_CONTACT'],
    [{ SUPPORT_CONTACT: 'tel:call me' }, 'SUPPORT_CONTACT'],
  ])('refuse %#, naming the fault and showing no key', (environment, name) => {
    const read = () => readConfig(environment);
    expect(read).toThrow(new RegExp(`^${name} `));
    for (const key of [pair.privateKey, other.privateKey, 'short']) {
      expect(read).not.toThrow(key);
    }
  });
});

const tilesOf = (environment: Record<string, string>) => readConfig(environment).tiles;

describe('the sources of the map', () => {
  it.each([
    ['https://tile.openstreetmap.org/', ['https://tile.openstreetmap.org']],
    ['http://127.0.0.1:8080/', ['http://127.0.0.1:8080']],
    ['https://TILES.Example:443/', ['https://tiles.example']],
    ['https://kärten.example/', ['https://xn--krten-gra.example']],
    [
      'https://{s}.tiles.example/',
      ['a', 'b', 'c'].map((letter) => `https://${letter}.tiles.example`),
    ],
    [
      'https://mt{s}.tiles.example/',
      ['a', 'b', 'c'].map((letter) => `https://mt${letter}.tiles.example`),
    ],
    [
      'https://{s}.kärten.example/',
      ['a', 'b', 'c'].map((letter) => `https://${letter}.xn--krten-gra.example`),
    ],
  ])('for tiles at %s are hosts as browsers write them', (address, sources) => {
    expect(tilesOf({ TILE_URL: `${address}${places}` }).sources).toEqual(sources);
  });

  it('include further hosts and wildcards, normalized and without duplicates', () => {
    const { sources } = tilesOf({
      TILE_STYLE_URL: 'https://Style.example/style.json',
      TILE_HOSTS:
        'https://FONTS.example:443, https://*.Tiles.example, https://*.kärten.example, https://style.example',
    });
    expect(sources).toEqual([
      ...['https://style.example', 'https://fonts.example'],
      ...['https://*.tiles.example', 'https://*.xn--krten-gra.example'],
    ]);
  });

  it('keep the placeholders of a template and what follows its host', () => {
    const { url } = tilesOf({ TILE_URL: 'https://TILES.example/A/{z}/{x}/{y}{r}.png?key=Kä' });
    expect(url).toBe('https://tiles.example/A/{z}/{x}/{y}{r}.png?key=Kä');
  });

  it.each([
    ['https://TILES.example:443/', 'https://tiles.example/1/2/3.png'],
    ['https://kärten.example/', 'https://kärten.example/1/2/3.png'],
    ['https://mt{s}.tiles.example/', 'https://mtb.tiles.example/1/2/3.png'],
    ['https://KAYA.example:443/tiles/', 'https://kaya.example/tiles/1/2/3.png'],
  ])("identify a request to %s as the map's", (address, request) => {
    const { url: tileUrl, style: styleUrl, sources } = tilesOf({ TILE_URL: `${address}${places}` });
    const files = { tileUrl, styleUrl, sources };
    expect(isOfMap(new URL(request), files, 'https://kaya.example')).toBe(true);
  });
});

describe('a source over http://', () => {
  it.each([
    ['TILE_URL', `http://tiles.example/${places}`],
    ['TILE_STYLE_URL', 'http://tiles.example/style.json'],
    ['TILE_HOSTS', 'https://a.example, http://*.tiles.example'],
  ])('is refused on an https:// page: %s=%s', (name, value) => {
    const read = (publicUrl: string) => () => tilesOf({ [name]: value, PUBLIC_URL: publicUrl });
    expect(read('https://kaya.example')).toThrow(new RegExp(`^${name} must begin with https://`));
    expect(read('http://kaya.example')).not.toThrow();
  });

  it.each([
    'http://localhost:8080',
    'http://tiles.localhost',
    'http://127.0.0.1:8080',
  ])('is accepted on localhost: %s', (origin) => {
    const environment = { TILE_URL: `${origin}/${places}`, PUBLIC_URL: 'https://kaya.example' };
    expect(tilesOf(environment).sources).toEqual([origin]);
  });
});
