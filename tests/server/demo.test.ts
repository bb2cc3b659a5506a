/** `npm run demo`: the real process, its own story, every role able to sign in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WirePackage } from '#contract/package.ts';
import { type ServerProcess, startAndFail, startServer } from '#tests/fakes/server-process.ts';

interface Known {
  role: string;
  email: string;
}

let demo: ServerProcess;
let accounts: Known[];
let output: string;

beforeAll(async () => {
  demo = await startServer({ entry: 'demo.js' });
  output = demo.stdout();
  accounts = [...output.matchAll(/^ {2}(\w+) +(\S+@\S+)/gm)].map(([, role = '', email = '']) => ({
    role,
    email,
  }));
}, 60_000);

afterAll(async () => {
  await demo.stop();
});

const withRole = (role: string) => accounts.filter((account) => account.role === role);

async function packagesSeenBy({ email }: Known): Promise<WirePackage[]> {
  const password = /every password is (\S+)/.exec(output)?.[1];
  const login = await fetch(`${demo.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(login.status).toBe(200);
  const { accessToken } = await login.json();
  const answer = await fetch(`${demo.url}/api/packages`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  expect(answer.status).toBe(200);
  return answer.json();
}

const someone = (role: string): Known => {
  const [first] = withRole(role);
  if (!first) throw new Error(`The demo told of no ${role}.`);
  return first;
};

describe('the demo', () => {
  it('tells of a dispatcher, at least 3 couriers and 20 senders', () => {
    expect(withRole('dispatcher').length).toBeGreaterThanOrEqual(1);
    expect(withRole('courier').length).toBeGreaterThanOrEqual(3);
    expect(withRole('sender').length).toBeGreaterThanOrEqual(20);
  });

  it('shows the dispatcher at least 200 packages, some in every state', async () => {
    const packages = await packagesSeenBy(someone('dispatcher'));
    expect(packages.length).toBeGreaterThanOrEqual(200);
    const states = packages.map(({ deliveryStatus }) => deliveryStatus);
    for (const state of ['Pending', 'In Transit', 'Delivered', 'Cancelled']) {
      expect(states.filter((one) => one === state).length, state).toBeGreaterThanOrEqual(5);
    }
  });

  it('lets a courier see what is on offer and what is theirs, a sender their own', async () => {
    const offered = await packagesSeenBy(someone('courier'));
    expect(offered.some(({ deliveryStatus }) => deliveryStatus === 'Pending')).toBe(true);
    expect(offered.some(({ deliveryStatus }) => deliveryStatus === 'In Transit')).toBe(true);
    const own = await packagesSeenBy(someone('sender'));
    expect(new Set(own.map(({ senderId }) => senderId._id)).size).toBe(1);
  });

  it('tells a story of the past: nothing was created or changed later than now', async () => {
    const packages = await packagesSeenBy(someone('dispatcher'));
    const now = new Date().toISOString();
    for (const { createdAt, updatedAt } of packages) {
      expect(createdAt <= updatedAt && updatedAt <= now, `${createdAt} ${updatedAt}`).toBe(true);
    }
  });

  it('is refused in production, where everybody would know its passwords', async () => {
    const exit = await startAndFail({
      entry: 'demo.js',
      env: { NODE_ENV: 'production', RATE_LIMIT: 'on', PAYMENTS: 'sandbox' },
    });
    expect(exit.code).toBe(1);
    expect(exit.stderr).toMatch(/^The demo has passwords that everybody knows.*\n$/);
  });
});
