/**
 * Client-side form checks. The form shows the first message that applies; `fields` holds one per
 * field, including those only the contract's schemas find.
 */
import * as v from 'valibot';
import { minimumPasswordLength, registrableRoles } from '#contract/auth.ts';
import { emailSchema, isBlank as isUnseen } from '#contract/fields.ts';
import {
  minimumNewPasswordLength,
  type ProfileChanges,
  profileChangesSchema,
} from '#contract/user.ts';

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

export const isBlank = (text: string | null | undefined) => (text ?? '').trim() === '';

export function blanks(form: Readonly<Record<string, unknown>>, names: readonly string[]) {
  return names.filter((name) => isBlank(String(form[name] ?? '')));
}

export function requiredFields(names: readonly string[]): FieldMessages {
  return Object.fromEntries(names.map((name) => [name, messages.fieldRequired]));
}

/**
 * First message per field; '' is the body as a whole. Unknown fields are named. An invalid item of
 * a list is reported at its field.
 */
export function fieldMessages(issues: readonly v.BaseIssue<unknown>[]): FieldMessages {
  const fields: FieldMessages = {};
  for (const issue of issues) {
    const name = String(issue.path?.[0]?.key ?? '');
    if (Object.hasOwn(fields, name)) continue;
    fields[name] =
      issue.path?.length === 1 && issue.type === 'strict_object' && issue.expected === 'never'
        ? 'This field is not known here.'
        : issue.path?.length === 1 && issue.expected !== 'never' && issue.received === 'undefined'
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

function readEmail(text: string): string | null {
  const read = v.safeParse(emailSchema, text);
  return read.success ? read.output : null;
}

export function checkEmail(text: string): Checked<string> {
  const email = readEmail(text);
  if (email !== null) return { isValid: true, value: email };
  return invalid(messages.invalidEmail, { email: messages.invalidEmail });
}

export interface LoginForm {
  email: string;
  password: string;
}

export function checkLogin(form: LoginForm): Checked<LoginForm> {
  const email = checkEmail(form.email);
  if (!email.isValid) return email;
  if (form.password === '') {
    return invalid(messages.fieldRequired, { password: messages.fieldRequired });
  }
  return { isValid: true, value: { email: email.value, password: form.password } };
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
  const email = checkEmail(form.email);
  if (!email.isValid) return email;
  const differ: FieldMessages =
    form.password === form.confirmPassword ? {} : { confirmPassword: messages.passwordsDiffer };
  if (form.password.length < minimumPasswordLength) {
    return invalid(messages.shortPassword, { password: messages.shortPassword, ...differ });
  }
  if (differ.confirmPassword) return invalid(messages.passwordsDiffer, differ);
  const role = registrableRoles.find((name) => name === form.role);
  if (!role) return invalid(messages.requiredMissing, { role: messages.fieldRequired });
  return { isValid: true, value: { email: email.value, role, password: form.password } };
}

/** One that is set by a mailed link: the rule of a sign-up. */
export function checkChosenPassword(password: string): Checked<string> {
  if (password.length >= minimumPasswordLength) return { isValid: true, value: password };
  return invalid(messages.shortPassword, { password: messages.shortPassword });
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

export interface ProfileForm {
  firstName: string;
  lastName: string;
  email: string;
  phoneNumber: string;
  address: string;
}

export const requiredOfProfile = ['firstName', 'lastName', 'email', 'phoneNumber'] as const;

/** Edit user: firstName, lastName, email, phoneNumber required; address optional. */
export function checkProfile(form: ProfileForm): Checked<ProfileChanges> {
  const missing = blanks({ ...form }, requiredOfProfile);
  if (missing.length > 0) return invalid(messages.requiredMissing, requiredFields(missing));
  return bySchema(profileChangesSchema, form);
}
