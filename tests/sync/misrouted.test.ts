/** Answers to other requests, from a proxy that mixes them up, and foreign pages. */
import { describe, expect, it } from 'vitest';
import { wirePackage } from '#tests/builders/package.ts';
import {
  accept,
  aServer,
  closeDevices,
  editProfile,
  enqueue,
  packageId,
  pulled,
  request,
  states,
} from './device.ts';
import { clientOver, failureOf, json } from './network.ts';

closeDevices();

describe('an answer about another package', () => {
  it('does not count as done: the operation stays and is sent again', async () => {
    const server = aServer(2);
    const honest = server.api.bind(server);
    let isMixedUp = false;
    server.api = () => {
      const api = honest();
      const other = () => {
        const row = server.packages.get(packageId(2));
        if (!row) throw new Error('There is no other package.');
        return structuredClone(row);
      };
      return {
        ...api,
        patchPackage: async (...call) => {
          const row = await api.patchPackage(...call);
          return isMixedUp ? other() : row;
        },
        patchUser: async (...call) => {
          const row = await api.patchUser(...call);
          return isMixedUp ? { ...row, id: packageId(2) } : row;
        },
      };
    };
    const all = await pulled(server);
    const { tab } = all;
    isMixedUp = true;
    await enqueue(tab, accept(1), editProfile({ firstName: 'Musa' }));
    expect((await states(tab)).sort()).toEqual([
      'acceptPackage waiting malformed',
      'editProfile waiting malformed',
    ]);
    expect(tab.events.filter(({ kind }) => kind === 'acknowledged')).toEqual([]);
    isMixedUp = false;
    await request(tab, 'online');
    expect(await states(tab)).toEqual([]);
    expect(server.effects).toHaveLength(2);
  });

  it('does not count as a deletion either', async () => {
    const removed = (id: string) => json({ _id: id, removed: true });
    const mixedUp = clientOver(() => removed(packageId(2)));
    const failure = await failureOf(mixedUp.api.deletePackage(packageId(1), 'the-key'));
    expect(failure).toMatchObject({ kind: 'malformed' });
    const right = clientOver(() => removed(packageId(1)));
    await right.api.deletePackage(packageId(1), 'the-key');
    expect(right.sent).toHaveLength(1);
  });
});

describe('a Retry-After', () => {
  const later = { code: 'unavailable', message: 'Later.' };

  it("date is measured by the server's clock, not the phone's", async () => {
    const tomorrowMs = Date.now() + 86_400_000;
    const headers = {
      date: new Date(tomorrowMs).toUTCString(),
      'retry-after': new Date(tomorrowMs + 2_000).toUTCString(),
    };
    const client = clientOver(() => json(later, 503, headers));
    expect((await failureOf(client.api.pullPackages(''))).retryAfterMs).toBe(2_000);
  });

  it.each<[string, () => Response]>([
    ['a portal’s page', () => new Response('<html>', { headers: { 'retry-after': '3600' } })],
    [
      'a gateway’s page',
      () => new Response('<html>', { status: 503, headers: { 'retry-after': '3600' } }),
    ],
    ['an answer of another shape', () => json([wirePackage(), 1], 200, { 'retry-after': '3600' })],
  ])('is ignored from %s', async (_, answer) => {
    const failure = await failureOf(clientOver(answer).api.pullPackages(''));
    expect(failure.kind).toBe('malformed');
    expect(failure.retryAfterMs).toBeUndefined();
  });
});
