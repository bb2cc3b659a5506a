/** WebKitGTK's MiniBrowser over W3C WebDriver, on a virtual display. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as after } from 'node:timers/promises';
import { freePort } from '#tests/postgres.mjs';
import { type Driver, jsonOf, pressing, typing, windowSize } from './driver.ts';

async function call<Value>(method: string, url: string, body?: object): Promise<Value> {
  const answer = await fetch(url, { method, ...(body ? { body: JSON.stringify(body) } : {}) });
  const { value } = (await answer.json()) as {
    value: Value & { error?: string; message?: string };
  };
  if (!answer.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

async function untilListening(url: string): Promise<void> {
  const isUp = () =>
    fetch(`${url}/status`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let tries = 0; !(await isUp()); tries += 1) {
    if (tries === 100) throw new Error('WebKitWebDriver does not answer.');
    await after(100);
  }
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'close');
  child.kill();
  await ended;
}

export async function openWebKit(programs: { driver: string; display: string }): Promise<Driver> {
  // Xvfb prints the display number it took.
  const display = spawn(programs.display, ['-displayfd', '1', '-screen', '0', '1280x1024x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = (await once(display.stdout, 'data')) as [Buffer];
  const port = await freePort();
  const driver = spawn(programs.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DISPLAY: `:${String(number).trim()}`,
      // WebKit's sandbox refuses root, which CI often uses.
      ...(process.getuid?.() === 0 ? { WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' } : {}),
    },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilListening(url);
  const { sessionId } = await call<{ sessionId: string }>('POST', `${url}/session`, {
    capabilities: {},
  });
  const session = `${url}/session/${sessionId}`;
  await call('POST', `${session}/window/rect`, { x: 0, y: 0, ...windowSize });

  return {
    async open(address) {
      await call('POST', `${session}/url`, { url: address }).catch(() => undefined);
    },
    async run(script, args) {
      const script_ = `const done = arguments[0]; ${jsonOf(script, args)}.then(done, (error) => done(String(error)))`;
      return JSON.parse(
        await call<string>('POST', `${session}/execute/async`, { script: script_, args: [] }),
      );
    },
    press: (x, y) => call('POST', `${session}/actions`, { actions: pressing(x, y) }),
    type: (text) => call('POST', `${session}/actions`, { actions: typing(text) }),
    async close() {
      await call('DELETE', session);
      await end(driver);
      await end(display);
    },
  };
}
