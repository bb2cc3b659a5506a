/** Redacts a package for its reader. */
import type { Package } from './package.ts';
import { fieldsWhere } from './package-fields.ts';
import { type Actor, can, factsOf } from './policy.ts';

/** For sender and admins only: the recipient gets these from the sender. */
const noSecrets = {
  dropoffCode: null,
  returnCode: null,
  dropoffToken: null,
  trackingPath: null,
};

const noContacts = Object.fromEntries(
  [...fieldsWhere(({ isContact }) => isContact), 'recipientNote'].map((name) => [name, null]),
);

/** The package as this reader may see it: contacts, codes and token withheld. */
export function redact(actor: Actor, pkg: Package): Package {
  if (actor.role === 'Admin') return pkg;
  const seesContacts = can(actor, 'viewContacts', factsOf(pkg)).isAllowed;
  const party = <P extends Package['courier']>(person: P): P =>
    person === null || person.id === actor.id
      ? person
      : { ...person, email: null, phoneNumber: seesContacts ? person.phoneNumber : null };
  return {
    ...pkg,
    sender: party(pkg.sender),
    courier: party(pkg.courier),
    ...(seesContacts ? {} : noContacts),
    ...(pkg.sender.id === actor.id ? {} : noSecrets),
  };
}
