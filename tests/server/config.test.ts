import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import webPush from 'web-push';
import { isOfMap } from '#domain/tile-source.ts';
import { readConfig } from '#server/config/config.ts';
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
    expect(read({ S3_URL: 'https://key:hush@' })).toThrow(/^S3_URL must look like (?!.*hush)/);
  });

  const termii = {
    TERMII_API_KEY: 'TL0123456789abcdef',
    TERMII_SECRET_KEY: 'tsk_0123456789abcdef',
    TERMII_SENDER_ID: 'Kaya',
    PUBLIC_URL: 'https://kaya.example',
  };
  const inProduction = { NODE_ENV: 'production', PAYMENTS: 'sandbox' };

  it('have text messages by Termii with all of its settings', () => {
    expect(readConfig({ ...termii, ...inProduction }).texts).toEqual({
      provider: 'termii',
      url: 'https://api.ng.termii.com',
      channel: 'dnd',
      apiKey: 'TL0123456789abcdef',
      secretKey: 'tsk_0123456789abcdef',
      senderId: 'Kaya',
    });
    expect(readConfig({ ...termii, SMS_PROVIDER: 'off' }).texts).toEqual({ provider: 'off' });
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
    expect(readConfig({}).texts).toEqual({ provider: 'sandbox' });
    expect(readConfig(production).texts).toEqual({ provider: 'off' });
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
