import type { PackageView } from '#domain/overlay.ts';
import { aPackage, party as person } from '#tests/builders/package.ts';

export { person };

/** A pending package of 'sender' as screens read it, with overrides. */
export function packageView(change: Partial<PackageView> = {}): PackageView {
  const pkg = aPackage({ sender: person('sender'), pickupDate: '2027-01-15T08:00:00.000Z' });
  return { ...pkg, mark: 'none', isAcceptRequested: false, ...change };
}
