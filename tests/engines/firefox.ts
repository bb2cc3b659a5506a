/** Firefox over WebDriver BiDi on its own socket. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { type Driver, jsonOf, pressing, typing, windowSize } from './driver.ts';

/** Disables the browser's own network requests and prompts. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

interface Reply {
  id: number | null;
  type: string;
  result?: unknown;
  error?: string;
  message?: string;
}

type Send = <Result>(method: string, params: object) => Promise<Result>;

function speak(socket: WebSocket): Send {
  const waiting = new Map<number, (reply: Reply) => void>();
  let last = 0;
  socket.on('message', (data) => {
    const reply: Reply = JSON.parse(String(data));
    if (reply.id === null) return;
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return async <Result>(method: string, params: object) => {
    last += 1;
    const id = last;
    const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { type, error, message, result } = await replied;
    if (type === 'error') throw new Error(`${method}: ${error}: ${message}`);
    return result as Result;
  };
}

type Evaluated =
  | { type: 'success'; result: { value: string } }
  | { type: 'exception'; exceptionDetails: { text: string } };

export async function openFirefox(executable: string): Promise<Driver> {
  const profile = await mkdtemp(path.join(tmpdir(), 'kaya-firefox-'));
  const lines = Object.entries(preferences).map(
    ([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});`,
  );
  await writeFile(path.join(profile, 'user.js'), lines.join('\n'));
  const browser = spawn(
    executable,
    ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, MOZ_CRASHREPORTER_DISABLE: '1' },
    },
  );
  const gone = once(browser, 'close');
  const address = await new Promise<string>((resolve, reject) => {
    createInterface(browser.stderr).on('line', (line) => {
      const found = /WebDriver BiDi listening on (\S+)/.exec(line)?.[1];
      if (found) resolve(found);
    });
    void gone.then(() => reject(new Error('Firefox ended before it listened.')));
  });
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const send = speak(socket);
  await send('session.new', { capabilities: {} });
  const { contexts } = await send<{ contexts: [{ context: string }] }>(
    'browsingContext.getTree',
    {},
  );
  const [{ context }] = contexts;
  await send('browsingContext.setViewport', { context, viewport: windowSize });

  return {
    async open(url) {
      const loading = send('browsingContext.navigate', { context, url, wait: 'complete' });
      await loading.catch(() => undefined);
    },
    async run(script, args) {
      const done = await send<Evaluated>('script.evaluate', {
        expression: jsonOf(script, args),
        target: { context },
        awaitPromise: true,
      });
      if (done.type === 'exception') throw new Error(done.exceptionDetails.text);
      return JSON.parse(done.result.value);
    },
    press: (x, y) => send('input.performActions', { context, actions: pressing(x, y) }),
    type: (text) => send('input.performActions', { context, actions: typing(text) }),
    async close() {
      await send('browser.close', {});
      await gone;
      await rm(profile, { recursive: true, force: true });
    },
  };
}
