/** What server/deploy tells nginx and systemd agrees with what the server does. */
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bodyLimitBytes } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { shutdownMs } from '#server/serve.ts';
import { settings } from '#server/settings.ts';
import { timeLimits } from '#server/time-limits.ts';

const read = (name: string) => readFileSync(`server/deploy/${name}`, 'utf8');
const nginx = read('nginx.conf.template');

/** The values of a directive of nginx, in the order of the file. */
function valuesOf(directive: string, text = nginx): string[] {
  const lines = text.matchAll(new RegExp(`^\\s*${directive} ([^;]+);`, 'gm'));
  return [...lines].map(([, value]) => value ?? '');
}

/** '75s' → 75000 */
const msOf = (value: string | undefined) => Number(/^(\d+)s$/.exec(value ?? '')?.[1]) * 1000;

describe('the settings', () => {
  const lines = read('kaya.env.example')
    .split('\n')
    .map((line) => /^#?([A-Z_]+)=(.*)$/.exec(line))
    .flatMap((line) => (line ? [[line[1] ?? '', line[2] ?? ''] as const] : []));

  it('are settings of the server, but those that the unit gives', () => {
    const known = settings.map(({ name }) => name as string);
    const named = lines.map(([name]) => name);
    expect(named.length).toBeGreaterThan(8);
    for (const name of named) expect(known).toContain(name);
    const unit = /^Environment=(.*)$/m.exec(read('kaya@.service'))?.[1] ?? '';
    const given = unit.split(' ').map((pair) => pair.split('=')[0] ?? '');
    expect(given).toEqual(['PORT', 'DATA_DIR']);
    for (const name of given) expect(named).not.toContain(name);
  });

  it('start a server in production behind one proxy, on a PostgreSQL', () => {
    expect(readConfig(Object.fromEntries(lines))).toMatchObject({
      ...{ isProduction: true, trustProxy: true, host: '127.0.0.1' },
      payments: { provider: 'paystack' },
      databaseUrl: expect.stringMatching(/^postgres:/),
      metricsToken: expect.any(String),
    });
  });
});

describe('nginx', () => {
  it('lets through what the server has words for', () => {
    const [limit] = valuesOf('client_max_body_size');
    expect(Number(limit?.replace('k', '')) * 1024).toBeGreaterThan(bodyLimitBytes);
  });

  it('waits longer than the server, and lets go of connections sooner', () => {
    const [upstream = ''] = /^upstream[\s\S]*?^}/m.exec(nginx) ?? [];
    expect(msOf(valuesOf('keepalive_timeout', upstream)[0])).toBeLessThan(timeLimits.keepAliveMs);
    const [calls, events] = valuesOf('proxy_read_timeout');
    expect(msOf(calls)).toBeGreaterThan(timeLimits.answerMs);
    expect(msOf(events)).toBeGreaterThan(2 * timeLimits.heartbeatMs);
  });

  it('writes the address of the caller anew, as TRUST_PROXY=on believes it', () => {
    expect(valuesOf('proxy_set_header')).toContain('X-Forwarded-For $remote_addr');
    expect(nginx).not.toContain('$proxy_add_x_forwarded_for');
  });

  it('changes nothing of what may be kept', () => {
    expect(nginx).not.toMatch(
      /^\s*(expires|proxy_cache|proxy_hide_header|proxy_ignore_headers)\b/m,
    );
    expect(valuesOf('add_header').join()).not.toMatch(/cache-control/i);
  });
});

describe('the units', () => {
  it.each(['kaya@.service', 'kaya-backup.service'])('%s begins what there is', (name) => {
    const [, command = ''] = /^ExecStart=\S+ (\S+)$/m.exec(read(name)) ?? [];
    const source = command.replace(/^dist\/server\/(\w+)\.js$/, 'server/$1.ts');
    expect([command, existsSync(source)]).toEqual([command, true]);
  });

  it('give the server the time that it takes to stop', () => {
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(read('kaya@.service'))?.[1]);
    expect(seconds * 1000).toBeGreaterThan(shutdownMs);
  });

  it('stand on in the README, by their names', () => {
    const readme = readFileSync('README.md', 'utf8');
    for (const name of ['kaya@3000', 'kaya-backup.timer', 'nginx.conf.template', 'backup.sh']) {
      expect(readme).toContain(name);
    }
  });
});
