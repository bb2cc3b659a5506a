/** The nginx and systemd files of server/deploy match the server's behaviour. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { maxPictureBytes } from '#contract/proof.ts';
import { bodyLimitBytes } from '#server/app.ts';
import { readConfig } from '#server/config/config.ts';
import { settings } from '#server/config/settings.ts';
import { timeLimits } from '#server/config/timeouts.ts';
import { shutdownMs } from '#server/http/serve.ts';

const read = (name: string) => readFileSync(`server/deploy/${name}`, 'utf8');
const nginx = read('nginx.conf.template');

/** The values of an nginx directive, in the order of the file. */
function valuesOf(directive: string, text = nginx): string[] {
  const lines = text.matchAll(new RegExp(`^\\s*${directive} ([^;]+);`, 'gm'));
  return [...lines].map(([, value]) => value ?? '');
}

/** The block of one location. */
const locationOf = (address: string) =>
  nginx.split(`location = ${address} {`)[1]?.split('}')[0] ?? '';

/** The directive's value in a unit; the last one counts. */
const unitSays = (name: string, directive: string) =>
  [...read(name).matchAll(new RegExp(`^${directive}=(.*)$`, 'gm'))].at(-1)?.[1] ?? '';

/** '75s' → 75000 */
const msOf = (value: string | undefined) => Number(/^(\d+)s$/.exec(value ?? '')?.[1]) * 1000;

describe('the example settings', () => {
  const lines = read('kaya.env.example')
    .split('\n')
    .map((line) => /^#?([A-Z_]+)=(.*)$/.exec(line))
    .flatMap((line) => (line ? [[line[1] ?? '', line[2] ?? ''] as const] : []));

  it('are settings of the server, except those of the unit', () => {
    const known = Object.keys(settings);
    const named = lines.map(([name]) => name);
    expect(named.length).toBeGreaterThan(8);
    for (const name of named) expect(known).toContain(name);
    const given = unitSays('kaya@.service', 'Environment')
      .split(' ')
      .map((pair) => pair.split('=')[0] ?? '');
    expect(given).toEqual(['PORT', 'DATA_DIR']);
    for (const name of given) expect(named).not.toContain(name);
  });

  const filledIn: Record<string, string> = {
    DATABASE_URL: 'postgres://kaya:of-its-own@127.0.0.1:5432/kaya',
    PAYSTACK_SECRET_KEY: 'sk_live_Hq3vT8mZc5Lw1XbN7yRd',
    METRICS_TOKEN: 'b1946ac92492d2347c6235b4d2611184',
    ADMIN_PASSWORD: 'a-good-password',
  };

  it('start a server in production behind one proxy, on PostgreSQL', () => {
    expect(readConfig({ ...Object.fromEntries(lines), ...filledIn })).toMatchObject({
      isProduction: true,
      trustProxy: true,
      host: '127.0.0.1',
      payments: { provider: 'paystack' },
      databaseUrl: expect.stringMatching(/^postgres:/),
      metricsToken: expect.any(String),
    });
  });

  it('contain no usable secret: a placeholder left unchanged is refused by name', () => {
    const came = lines.filter(([, value]) => value.includes('FILL_IN'));
    expect(Object.fromEntries(came).DATABASE_URL).toContain(':FILL_IN@');
    expect(came.map(([name]) => name).sort()).toEqual(Object.keys(filledIn).sort());
    // The database refuses that one.
    for (const [name, value] of came.filter(([name]) => name !== 'DATABASE_URL')) {
      const settled = { ...Object.fromEntries(lines), ...filledIn, [name]: value };
      expect(() => readConfig(settled), name).toThrow(new RegExp(`^${name} must `));
    }
  });
});

describe('nginx', () => {
  it('passes Host, streams events unbuffered, limits them by address and blocks /metrics', () => {
    expect(valuesOf('proxy_set_header')).toContain('Host $http_host');
    const [events, metrics] = [locationOf('/api/events'), locationOf('/metrics')];
    expect(valuesOf('proxy_pass', events)).toEqual(['http://kaya']);
    expect(valuesOf('proxy_buffering', events)).toEqual(['off']);
    expect(valuesOf('gzip', events)).toEqual(['off']);
    expect(valuesOf('limit_conn', events)).toEqual(['kaya_streams 1000']);
    expect(valuesOf('limit_conn_zone')).toEqual(['$binary_remote_addr zone=kaya_streams:10m']);
    const recipients = nginx.slice(nginx.indexOf('location ~ ^/api/track/'));
    expect(recipients.slice(0, recipients.indexOf('}')).split('{')[1]?.trim()).toBe(events.trim());
    expect(valuesOf('return', metrics)).toEqual(['404']);
    expect(metrics).not.toContain('proxy_pass');
    // A header set inside a location replaces all inherited ones.
    const places = [...nginx.matchAll(/location [^{]*\{([^}]*)\}/g)].map(([, text]) => text);
    expect(places.join()).not.toContain('proxy_set_header');
  });

  it("allows bodies up to the server's own limit", () => {
    const [limit] = valuesOf('client_max_body_size');
    const most = Number(limit?.replace('k', '')) * 1024;
    expect(most).toBeGreaterThan(Math.max(bodyLimitBytes, maxPictureBytes));
  });

  it('times out after the server and closes idle connections before it', () => {
    const [upstream = ''] = /^upstream[\s\S]*?^}/m.exec(nginx) ?? [];
    expect(msOf(valuesOf('keepalive_timeout', upstream)[0])).toBeLessThan(timeLimits.keepAliveMs);
    const [calls, events] = valuesOf('proxy_read_timeout');
    expect(msOf(calls)).toBeGreaterThan(timeLimits.answerMs);
    expect(msOf(events)).toBeGreaterThan(2 * timeLimits.heartbeatMs);
  });
});

describe('the units', () => {
  it.each(['kaya@.service', 'kaya-backup.service'])('%s runs existing files', (name) => {
    const [, command = ''] = /^ExecStart=\S+ (\S+)$/m.exec(read(name)) ?? [];
    const source = command.replace(/^dist\/server\/(\w+)\.js$/, 'server/$1.ts');
    expect([command, existsSync(source)]).toEqual([command, true]);
  });

  it('give the server enough time to stop', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('kaya@.service'))?.[1]);
    expect(seconds * 1000).toBeGreaterThan(shutdownMs);
  });
});
