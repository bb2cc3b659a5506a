/**
 * What the forms check before anything is sent, in the words of SPEC.md section 5. The first
 * sentence that applies is the form's message; `fields` ties each complaint to its field where the
 * shared schemas (contract) find more than the specification asks for.
 */
import * as v from 'valibot';
import { minimumPasswordLength, registrableRoles } from '#contract/auth.ts';
import { emailSchema, isBlank as isUnseen } from '#contract/fields.ts';
import {
  type CreatePackageBody,
  createPackageSchema,
  type PackageChanges,
  packageChangesSchema,
} from '#contract/package.ts';
import {
  minimumNewPasswordLength,
  type ProfileChanges,
  profileChangesSchema,
} from '#contract/user.ts';
import { typedPhone, typedPrice } from './typed.ts';

export const messages = {
  invalidEmail: 'Please enter a valid email address.',
  shortPassword: 'Password must be at least 8 characters.',
  passwordsDiffer: 'Passwords do not match.',
  fieldRequired: 'This field is required.',
  addressesRequired: 'Please fill in both pickup and delivery addresses.',
  recipientRequired: 'Please fill in recipient name and phone number.',
  productRequired: 'Please fill in description and pickup date.',
  requiredMissing: 'Required fields are missing.',
  newPasswordRequired: 'New password is required',
  shortNewPassword: 'Password must be at least 6 characters',
  newPasswordsDiffer: 'Passwords do not match',
  deliveryBeforePickup: 'The delivery date must not be before the pickup date.',
  fieldsNeedAttention: 'Some fields need your attention.',
} as const;

export type FieldMessages = Record<string, string>;

export type Checked<T> =
  | { isValid: true; value: T }
  | { isValid: false; message: string; fields: FieldMessages };

export const invalid = (message: string, fields: FieldMessages): Checked<never> => ({
  isValid: false,
  message,
  fields,
});

const isBlank = (text: string | null | undefined) => (text ?? '').trim() === '';

export function blanks(form: Record<string, string | null | undefined>, names: readonly string[]) {
  return names.filter((name) => isBlank(form[name]));
}

export function requiredFields(names: readonly string[]): FieldMessages {
  return Object.fromEntries(names.map((name) => [name, messages.fieldRequired]));
}

/**
 * First complaint per field, by the field's name; '' for the body as a whole. Unknown fields are
 * named. What is wrong inside of a field (a role of a list) is told at the field: a form has one
 * place for it.
 */
export function fieldMessages(issues: readonly v.BaseIssue<unknown>[]): FieldMessages {
  const fields: FieldMessages = {};
  for (const issue of issues) {
    const name = String(issue.path?.[0]?.key ?? '');
    if (Object.hasOwn(fields, name)) continue;
    fields[name] =
      issue.type === 'strict_object' && issue.expected === 'never'
        ? 'This field is not known here.'
        : issue.expected !== 'never' && issue.received === 'undefined'
          ? messages.fieldRequired
          : issue.message;
  }
  return fields;
}

export function bySchema<const S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): Checked<v.InferOutput<S>> {
  const result = v.safeParse(schema, value);
  if (result.success) return { isValid: true, value: result.output };
  const fields = fieldMessages(result.issues);
  const all = Object.values(fields);
  return invalid(all.length === 1 && all[0] ? all[0] : messages.fieldsNeedAttention, fields);
}

export interface LoginForm {
  email: string;
  password: string;
}

export function checkLogin(form: LoginForm): Checked<LoginForm> {
  const email = form.email.trim().toLowerCase();
  if (!v.is(emailSchema, email)) {
    return invalid(messages.invalidEmail, { email: messages.invalidEmail });
  }
  if (form.password === '') {
    return invalid(messages.fieldRequired, { password: messages.fieldRequired });
  }
  return { isValid: true, value: { email, password: form.password } };
}

export interface SignUpForm {
  email: string;
  role: string;
  password: string;
  confirmPassword: string;
}

type SignUp = { email: string; role: (typeof registrableRoles)[number]; password: string };

export function checkSignUp(form: SignUpForm): Checked<SignUp> {
  const missing = blanks({ ...form }, ['email', 'role', 'password', 'confirmPassword']);
  if (missing.length > 0) return invalid(messages.requiredMissing, requiredFields(missing));
  const email = form.email.trim().toLowerCase();
  if (!v.is(emailSchema, email)) {
    return invalid(messages.invalidEmail, { email: messages.invalidEmail });
  }
  if (form.password.length < minimumPasswordLength) {
    return invalid(messages.shortPassword, { password: messages.shortPassword });
  }
  if (form.password !== form.confirmPassword) {
    return invalid(messages.passwordsDiffer, { confirmPassword: messages.passwordsDiffer });
  }
  const role = registrableRoles.find((name) => name === form.role);
  if (!role) return invalid(messages.requiredMissing, { role: messages.fieldRequired });
  return { isValid: true, value: { email, role, password: form.password } };
}

export interface PasswordForm {
  password: string;
  confirmPassword: string;
}

export function checkPasswordChange(form: PasswordForm): Checked<string> {
  if (isUnseen(form.password)) {
    return invalid(messages.newPasswordRequired, { password: messages.newPasswordRequired });
  }
  if (form.password.length < minimumNewPasswordLength) {
    return invalid(messages.shortNewPassword, { password: messages.shortNewPassword });
  }
  if (form.password !== form.confirmPassword) {
    return invalid(messages.newPasswordsDiffer, { confirmPassword: messages.newPasswordsDiffer });
  }
  return { isValid: true, value: form.password };
}

/** The wizard as typed: text everywhere. Dates are `datetime-local` text or ISO; '' is 'not given'. */
export interface PackageForm {
  pickupAddress: string;
  deliveryAddress: string;
  recipientName: string;
  recipientPhone: string;
  recipientEmail: string;
  description: string;
  pickupDate: string;
  deliveryDate: string;
  priceOffer: string;
  paymentMethod: string;
  notes: string;
}

export const wizardSteps = [
  {
    fields: ['pickupAddress', 'deliveryAddress'],
    required: ['pickupAddress', 'deliveryAddress'],
    message: messages.addressesRequired,
  },
  {
    fields: ['recipientName', 'recipientPhone', 'recipientEmail'],
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

function bodyOf(form: PackageForm): Record<keyof PackageForm, unknown> {
  const recipientPhone = typedPhone(form.recipientPhone);
  return { ...form, recipientPhone, priceOffer: typedPrice(form.priceOffer) };
}

/** The complaint about two dates, where both are given and read; none where either is not. */
function dateComplaint(form: PackageForm): FieldMessages {
  const { pickupDate, deliveryDate } = createPackageSchema.entries;
  const pickup = v.safeParse(pickupDate, form.pickupDate);
  const delivery = v.safeParse(deliveryDate, form.deliveryDate);
  const isWrong =
    pickup.success && delivery.success && !areDatesInOrder(pickup.output, delivery.output);
  return isWrong ? { deliveryDate: messages.deliveryBeforePickup } : {};
}

/** ISO 8601 in UTC, as the schemas give them; a date that is not given is never out of order. */
export function areDatesInOrder(pickupDate: string, deliveryDate: string | null): boolean {
  return deliveryDate === null || deliveryDate >= pickupDate;
}

/** Step 0 to 3: the step's own sentence for what is missing, else the complaints at its fields. */
export function checkWizardStep(step: number, form: PackageForm): Checked<null> {
  const rule = wizardSteps[step];
  if (!rule) throw new RangeError(`No wizard step ${step}`);
  const missing = blanks({ ...form }, rule.required);
  if (missing.length > 0) return invalid(rule.message, requiredFields(missing));
  const whole = checkFields(form);
  if (whole.isValid) return { isValid: true, value: null };
  // Later steps may be empty yet, so the whole form does not parse and its dates went unasked.
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
  const parsed = bySchema(createPackageSchema, bodyOf(form));
  if (!parsed.isValid) return parsed;
  const fields = dateComplaint(form);
  return fields.deliveryDate ? invalid(fields.deliveryDate, fields) : parsed;
}

/** The whole wizard at 'Create Package'. */
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
    // A package from another client may miss what our forms require: only what was touched counts.
    // The two dates are one complaint, told at the delivery date whichever of them was moved.
    const touched = new Set<string>(changed);
    if (touched.has('pickupDate')) touched.add('deliveryDate');
    const fields = Object.fromEntries(
      Object.entries(whole.fields).filter(([name]) => touched.has(name)),
    );
    if (Object.keys(fields).length > 0) return invalid(whole.message, fields);
  }
  const body: Record<string, unknown> = bodyOf(form);
  return bySchema(
    packageChangesSchema,
    Object.fromEntries(changed.map((name) => [name, body[name]])),
  );
}

export interface ProfileForm {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
  address: string;
}

const requiredOfProfile = ['firstName', 'lastName', 'email', 'phoneNumber'] as const;

/** Edit user: firstName, lastName, email, phoneNumber required; address optional. */
export function checkProfile(form: ProfileForm): Checked<ProfileChanges> {
  const missing = blanks({ ...form }, requiredOfProfile);
  if (missing.length > 0) return invalid(messages.requiredMissing, requiredFields(missing));
  return bySchema(profileChangesSchema, { ...form, phoneNumber: typedPhone(form.phoneNumber) });
}
