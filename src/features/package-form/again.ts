/** 'Send again': a new package like an earlier one. */

import { serverNowIso } from '#data/use-now.ts';
import { toLocalInput } from '#domain/dates.ts';
import type { Package } from '#domain/package.ts';
import type { PackageForm } from '#domain/package-fields.ts';
import { wizardSteps } from '#domain/package-form.ts';
import { formOf } from './edit-rules.ts';

/** Everything but the dates, which have passed. */
export function againForm(pkg: Package): PackageForm {
  return { ...formOf(pkg), pickupDate: '', deliveryDate: '' };
}

/** From now on, at the step where it is checked and sent. */
export function againDraft(earlier: Package) {
  const form = { ...againForm(earlier), pickupDate: toLocalInput(serverNowIso()) };
  return { earlierId: earlier.id, form, step: wizardSteps.length - 1 };
}
