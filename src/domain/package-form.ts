/** Client-side checks of the package forms: the wizard step by step, and the edit form. */
import * as v from 'valibot';
import { dateTimeSchema, priceSchema } from '#contract/fields.ts';
import {
  type CreatePackageBody,
  createPackageSchema,
  type PackageChanges,
  type PackageField,
  packageChangesSchema,
} from '#contract/package.ts';
import { askInDoubt, typedPrice } from './amount.ts';
import { typedLocation } from './location.ts';
import { nairaToKobo } from './money.ts';
import {
  fieldNames,
  fieldsWhere,
  type PackageForm,
  packageFields,
  type Typed,
} from './package-fields.ts';
import {
  blanks,
  bySchema,
  type Checked,
  type FieldMessages,
  invalid,
  isBlank,
  messages,
  requiredFields,
} from './validation.ts';

/** Per step: its fields, those of them that are required, and the message where one is missing. */
export const wizardSteps = [
  messages.addressesRequired,
  messages.recipientRequired,
  messages.productRequired,
  messages.requiredMissing,
].map((message, at) => ({
  message,
  fields: fieldsWhere(({ step }) => step === at),
  required: fieldsWhere(({ step, isRequired }) => step === at && isRequired),
}));

const requiredOfPackage = wizardSteps.flatMap((step) => step.required);

/** Converts a typed place, price or choice for the schema; passes other values on unchanged. */
function readField(name: PackageField, text: Typed): unknown {
  const { kind } = packageFields[name];
  if (typeof text === 'boolean') return text;
  if (kind === 'place') return isBlank(text) ? null : (typedLocation(text) ?? text);
  if (kind === 'price') return typedPrice(text);
  return kind === 'choice' ? text || undefined : text;
}

const bodyOf = (form: PackageForm) =>
  Object.fromEntries(fieldNames.map((name) => [name, readField(name, form[name])]));

/** The typed price in kobo; 0 while it is invalid. */
export function typedKobo(text: string): number {
  const price = v.safeParse(priceSchema, typedPrice(text));
  return price.success ? nairaToKobo(price.output) : 0;
}

function dateComplaint(form: PackageForm): FieldMessages {
  const { pickupDate, deliveryDate } = createPackageSchema.entries;
  const pickup = v.safeParse(pickupDate, form.pickupDate);
  const delivery = v.safeParse(deliveryDate, form.deliveryDate);
  const isWrong =
    pickup.success && delivery.success && !areDatesInOrder(pickup.output, delivery.output);
  return isWrong ? { deliveryDate: messages.deliveryBeforePickup } : {};
}

/** ISO 8601 in UTC, as the schemas output; a missing delivery date is always in order. */
export function areDatesInOrder(pickupDate: string, deliveryDate: string | null): boolean {
  return deliveryDate === null || deliveryDate >= pickupDate;
}

/** Steps 0 to 3: the step's own message if something is missing, else the complaints per field. */
export function checkWizardStep(step: number, form: PackageForm): Checked<null> {
  const rule = wizardSteps[step];
  if (!rule) throw new RangeError(`No wizard step ${step}`);
  const missing = blanks(form, rule.required);
  if (missing.length > 0) return invalid(rule.message, requiredFields(missing));
  const whole = checkFields(form);
  if (whole.isValid) return { isValid: true, value: null };
  // Later steps may still be empty, so the whole form fails and its dates were not compared.
  const complaints = { ...dateComplaint(form), ...whole.fields };
  const fields = Object.fromEntries(
    Object.entries(complaints).filter(([name]) => rule.fields.includes(name as PackageField)),
  );
  const first = Object.values(fields)[0];
  return first === undefined ? { isValid: true, value: null } : invalid(first, fields);
}

function checkFields(form: PackageForm): Checked<CreatePackageBody> {
  const { pickupLocation, deliveryLocation, ...body } = bodyOf(form);
  const parsed = bySchema(createPackageSchema, {
    ...body,
    ...(pickupLocation === null ? {} : { pickupLocation }),
    ...(deliveryLocation === null ? {} : { deliveryLocation }),
  });
  if (!parsed.isValid) return askInDoubt(parsed, 'priceOffer', form.priceOffer);
  const fields = dateComplaint(form);
  return fields.deliveryDate ? invalid(fields.deliveryDate, fields) : parsed;
}

/** The whole wizard, before creating the package. */
export function checkNewPackage(form: PackageForm): Checked<CreatePackageBody> {
  const missing = blanks(form, requiredOfPackage);
  if (missing.length > 0) return invalid(messages.requiredMissing, requiredFields(missing));
  return checkFields(form);
}

/** An edit: only the fields that differ from `before`, checked. */
export function checkPackageEdit(before: PackageForm, form: PackageForm): Checked<PackageChanges> {
  const whole = checkNewPackage(form);
  const changed = fieldNames.filter((name) => form[name] !== before[name]);
  if (!whole.isValid) {
    // A package from another client may lack what our forms require: only changed fields count. The
    // order of dates is reported at the delivery date, whichever of them changed.
    const touched = new Set<string>(changed);
    if (touched.has('pickupDate')) touched.add('deliveryDate');
    const ofTouched = (found: FieldMessages) =>
      Object.fromEntries(Object.entries(found).filter(([name]) => touched.has(name)));
    const fields = ofTouched(whole.fields);
    if (Object.keys(fields).length > 0) {
      // The whole form is visible: shows invalid fields beside missing ones.
      const filled = checkFields(form);
      const wrong = filled.isValid ? {} : ofTouched(filled.fields);
      return invalid(whole.message, { ...wrong, ...fields });
    }
  }
  const body = bodyOf(form);
  const checked = bySchema(
    packageChangesSchema,
    Object.fromEntries(changed.map((name) => [name, body[name]])),
  );
  return askInDoubt(checked, 'priceOffer', form.priceOffer);
}

export const pickupPassed = 'The pickup date has passed. Please choose a later one.';

/** 'Now' is a valid answer, and the last step comes a while later. */
const graceMs = 60 * 60 * 1000;

/** The complaint per field; none for an unreadable date, which other checks report. */
export function pickupComplaint(pickupDate: string, nowMs: number): FieldMessages {
  const read = v.safeParse(dateTimeSchema, pickupDate);
  const hasPassed = read.success && Date.parse(read.output) < nowMs - graceMs;
  return hasPassed ? { pickupDate: pickupPassed } : {};
}
