/** 'Send again': a new package like an earlier one. The wizard reads `againParam` from its address. */

import { toLocalInput } from '#domain/dates.ts';
import type { Package } from '#domain/package.ts';
import { type PackageForm, wizardSteps } from '#domain/package-form.ts';
import { formOf } from './edit-rules.ts';

export const againParam = 'again';

/** The wizard, with its draft. */
export const newPath = '/new-package';

/** The wizard, filled in from the package with this id. */
export function againPath(id: string): string {
  return `${newPath}?${againParam}=${id}`;
}

/** Everything but the dates, which have passed. */
export function againForm(pkg: Package): PackageForm {
  return { ...formOf(pkg), pickupDate: '', deliveryDate: '' };
}

/** From now on, at the step where it is checked and sent. */
export function againDraft(earlier: Package) {
  const form = { ...againForm(earlier), pickupDate: toLocalInput(new Date().toISOString()) };
  return { earlierId: earlier.id, form, step: wizardSteps.length - 1 };
}
