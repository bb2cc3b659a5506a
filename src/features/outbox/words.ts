/** What the Changes screen says, and why something was refused: SPEC.md section 8, DESIGN.md 5. */
import type { Operation } from '#domain/operation.ts';
import { outbox } from '#words/en/outbox.ts';
import { inLanguage } from '#words/language.ts';
import { operationWords } from './operation-names.ts';

export const words = inLanguage('outbox', outbox);

export const { successes, severalSent, refusedLater } = operationWords;
const { failures } = operationWords;

/** The toast for a refused operation, in the specification's words. */
export function refusalOf(operation: Operation): string {
  const reason = operation.lastError?.message ?? '';
  const code = operation.lastError?.code ?? '';
  switch (operation.name) {
    case 'createPackage':
      return failures.create;
    case 'acceptPackage':
      return code === 'already_assigned' || code === 'profile_incomplete'
        ? reason
        : failures.accept;
    case 'rejectDelivery':
      return failures.reject(reason);
    case 'deletePackage':
      return failures.delete(reason);
    case 'deliverPackage':
    case 'editPackage':
      return failures.edit(reason);
    case 'editProfile':
      return failures.profile(reason);
  }
}
