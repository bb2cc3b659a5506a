/** Client-side checks of the package forms: the wizard step by step, and the edit form. */
import * as v from 'valibot';
import { dateTimeSchema, priceSchema } from '#contract/fields.ts';
import {
  type CreatePackageBody,
  createPackageSchema,
  type PackageChanges,
  packageChangesSchema,
} from '#contract/package.ts';
import { typedLocation } from './location.ts';
import { nairaToKobo } from './money.ts';
import {
  blanks,
  bySchema,
  type Checked,
  type FieldMessages,
  invalid,
  isBlank,
  messages,
  requiredFields,
  typedPhone,
  typedPrice,
} from './validation.ts';

/** The wizard as typed, all text. Dates are `datetime-local` values or ISO; '' means none. */
export interface PackageForm {
  pickupAddress: string;
  deliveryAddress: string;
  /** 'lat, lng' in degrees (domain/location). */
  pickupLocation: string;
  deliveryLocation: string;
  recipientName: string;
  recipientPhone: string;
  recipientEmail: string;
  description: string;
  pickupDate: string;
  deliveryDate: string;
  priceOffer: string;
  paymentMethod: string;
  /** '': not chosen yet, so the deployment's. */
  handover: string;
  notes: string;
}

export const wizardSteps = [
  {
    fields: ['pickupAddress', 'pickupLocation', 'deliveryAddress', 'deliveryLocation'],
    required: ['pickupAddress', 'deliveryAddress'],
    message: messages.addressesRequired,
  },
  {
    fields: ['recipientName', 'recipientPhone', 'recipientEmail', 'handover'],
    required: ['recipientName', 'recipientPhone'],
    message: messages.recipientRequired,
  },
  {
    fields: ['description', 'pickupDate', 'deliveryDate', 'notes'],
    required: ['description', 'pickupDate'],
    message: messages.productRequired,
  },
  {
    fields: ['priceOffer', 'paymentMethod'],
    required: ['priceOffer', 'paymentMethod'],
    message: messages.requiredMissing,
  },
] as const satisfies readonly {
  fields: readonly (keyof PackageForm)[];
  required: readonly (keyof PackageForm)[];
  message: string;
}[];

const requiredOfPackage = wizardSteps.flatMap((step) => [...step.required]);

/** Text that is not a place is passed on, for the schema to refuse. */
const pinOf = (text: string) => (isBlank(text) ? null : (typedLocation(text) ?? text));

function bodyOf(form: PackageForm): Record<keyof PackageForm, unknown> {
  const recipientPhone = typedPhone(form.recipientPhone);
  const pins = {
    pickupLocation: pinOf(form.pickupLocation),
    deliveryLocation: pinOf(form.deliveryLocation),
  };
  const priceOffer = typedPrice(form.priceOffer);
  const handover = form.handover || undefined;
  return { ...form, ...pins, recipientPhone, priceOffer, handover };
}

/** Of a price as typed so far; 0 if it is none. */
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
  const missing = blanks({ ...form }, rule.required);
  if (missing.length > 0) return invalid(rule.message, requiredFields(missing));
  const whole = checkFields(form);
  if (whole.isValid) return { isValid: true, value: null };
  // Later steps may still be empty, so the whole form fails and its dates were not compared.
  const complaints = { ...dateComplaint(form), ...whole.fields };
  const fields = Object.fromEntries(
    Object.entries(complaints).filter(([name]) =>
      (rule.fields as readonly string[]).includes(name),
    ),
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
  if (!parsed.isValid) return parsed;
  const fields = dateComplaint(form);
  return fields.deliveryDate ? invalid(fields.deliveryDate, fields) : parsed;
}

/** The whole wizard, before creating the package. */
export function checkNewPackage(form: PackageForm): Checked<CreatePackageBody> {
  const missing = blanks({ ...form }, requiredOfPackage);
  if (missing.length > 0) return invalid(messages.requiredMissing, requiredFields(missing));
  return checkFields(form);
}

/** An edit: only the fields that differ from `before`, checked. */
export function checkPackageEdit(before: PackageForm, form: PackageForm): Checked<PackageChanges> {
  const whole = checkNewPackage(form);
  const changed = (Object.keys(form) as (keyof PackageForm)[]).filter(
    (name) => form[name] !== before[name],
  );
  if (!whole.isValid) {
    // A package from another client may lack what our forms require: only changed fields count. The
    // order of dates is reported at the delivery date, whichever of them changed.
    const touched = new Set<string>(changed);
    if (touched.has('pickupDate')) touched.add('deliveryDate');
    const ofTouched = (found: FieldMessages) =>
      Object.fromEntries(Object.entries(found).filter(([name]) => touched.has(name)));
    const fields = ofTouched(whole.fields);
    if (Object.keys(fields).length > 0) {
      // What is wrong besides what is missing: the whole form is in sight.
      const filled = checkFields(form);
      const wrong = filled.isValid ? {} : ofTouched(filled.fields);
      return invalid(whole.message, { ...wrong, ...fields });
    }
  }
  const body: Record<string, unknown> = bodyOf(form);
  return bySchema(
    packageChangesSchema,
    Object.fromEntries(changed.map((name) => [name, body[name]])),
  );
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
