/**
 * The server asks the policy about a stored package, the screens about its `factsOf`. A field that the
 * policy reads and `factsOf` lacks would make the two decide differently.
 */
import { expect, it } from 'vitest';
import { progressSteps } from '#contract/event.ts';
import { roles } from '#contract/user.ts';
import { noVersion } from '#contract/version.ts';
import { storedPackage } from '#domain/package.ts';
import { can, factsOf, type PackageFacts, packageActions } from '#domain/policy.ts';
import { deliveryStatuses } from '#domain/status.ts';
import { actor, aPackage, facts, ids, party } from '#tests/builders/package.ts';

const endings: Partial<PackageFacts>[] = [
  {},
  { outcome: 'returned' },
  { outcome: 'returned', releaseAt: '2026-11-22T09:00:00.000Z' },
  { verifiedBy: 'photo' },
  { verifiedBy: 'code', paidOutKobo: 0 },
  { dispute: { _id: ids.operation, by: 'sender', kind: 'damaged', text: 'Wet.' } },
  { version: noVersion },
];

const packages = deliveryStatuses.flatMap((status) =>
  [null, ids.courier].flatMap((courierId) =>
    (['cash', 'app'] as const).flatMap((paymentMethod) =>
      [null, ...progressSteps].flatMap((progress) =>
        endings.map((ending) => facts({ status, courierId, paymentMethod, progress, ...ending })),
      ),
    ),
  ),
);

const actors = roles.flatMap((role) =>
  [ids.sender, ids.courier, ids.admin].map((id) => actor(role, id)),
);

/** The names of the fields that the policy looks at to decide about any of the packages. */
function readByPolicy(): Set<string> {
  const read = new Set<string>();
  for (const pkg of packages) {
    const watched = new Proxy(pkg, {
      get(target, name) {
        read.add(String(name));
        return Reflect.get(target, name);
      },
    });
    for (const person of actors) for (const action of packageActions) can(person, action, watched);
  }
  return read;
}

it('factsOf in domain/policy has the fields that the policy reads, and no others', () => {
  const names = Object.keys(factsOf(aPackage()));
  expect([...readByPolicy()].toSorted()).toEqual(names.toSorted());
});

it('factsOf in domain/policy has the values that the server stores', () => {
  const pkg = aPackage({
    courier: party(ids.courier, 'Bala'),
    status: 'delivered',
    paymentMethod: 'app',
    progress: 'arrived',
    outcome: 'returned',
    paidOutKobo: 150_000,
    verifiedBy: 'code',
    releaseAt: '2026-11-22T09:00:00.000Z',
  });
  const { version, ...stored } = factsOf(pkg);
  expect(version).toBe(pkg.version);
  expect(storedPackage(pkg)).toMatchObject(stored);
});
