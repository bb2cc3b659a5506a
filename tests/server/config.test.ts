import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#server/config/config.ts';
import { settings } from '#server/config/settings.ts';

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
    ['METRICS_TOKEN', 'x'.repeat(31)],
    ['METRICS_TOKEN', `two words ${'x'.repeat(31)}`],
    ['TRUST_PROXY', 'maybe'],
    ['TRUST_PROXY', 'abc'],
    ['TRUST_PROXY', '1'],
    ['TRUST_PROXY', '10.0.0.0/99'],
    ['TRUST_PROXY', '10.0.0.1,'],
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
