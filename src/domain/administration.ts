/** An admin's forms: client-side checks, and conflicts between two admins. Pure. */

import * as v from 'valibot';
import {
  type AddUserBody,
  type AdjustBalanceBody,
  addUserSchema,
  adjustBalanceSchema,
  type PatchUserBody,
  patchUserSchema,
} from '#contract/user.ts';
import { showPhone } from '#domain/contact-links.ts';
import { askInDoubt, typedPrice } from './amount.ts';
import { isProfileComplete, roleOf, type User } from './user.ts';
import {
  blanks,
  bySchema,
  type Checked,
  type FieldMessages,
  invalid,
  messages,
  type ProfileForm,
  requiredFields,
  requiredOfProfile,
} from './validation.ts';

/** A user's profile as typed by an admin; '' means none. */
export interface UserForm extends ProfileForm {
  vehicle: string;
}

export interface NewUserForm extends UserForm {
  role: string;
  password: string;
}

export interface AdjustmentForm {
  amount: string;
  reason: string;
}

/** Fields of a user that an admin may change, by wire name. */
export type UserChanges = Omit<PatchUserBody, 'id' | 'password' | 'baseVersion'>;
export type UserField = keyof UserChanges;

const {
  id: _id,
  password: _password,
  baseVersion: _base,
  ...changeEntries
} = patchUserSchema.entries;
const { id: _target, ...adjustmentEntries } = adjustBalanceSchema.entries;
const adjustmentSchema = v.strictObject(adjustmentEntries);
const changesSchema = v.strictObject(changeEntries);

export const userFormOf = (user: User): UserForm => ({
  ...profileFormOf(user),
  vehicle: user.vehicle ?? '',
});

/** The changed fields, checked; four of them are required. */
export function checkUserEdit(before: UserForm, form: UserForm): Checked<UserChanges> {
  const missing = blanks({ ...form }, requiredOfProfile);
  if (missing.length > 0) return invalid(messages.requiredMissing, requiredFields(missing));
  const changed = (Object.keys(form) as (keyof UserForm)[]).filter(
    (name) => form[name].trim() !== before[name].trim(),
  );
  return bySchema(changesSchema, Object.fromEntries(changed.map((name) => [name, form[name]])));
}

function withMissing<T>(checked: Checked<T>, missing: readonly string[]): Checked<T> {
  if (missing.length === 0) return checked;
  const fields = checked.isValid ? {} : checked.fields;
  return invalid(messages.requiredMissing, { ...fields, ...requiredFields(missing) });
}

function atRole(fields: FieldMessages): FieldMessages {
  const { roles, ...others } = fields;
  return roles === undefined ? others : { ...others, role: roles };
}

export function checkNewUser({ role, ...form }: NewUserForm): Checked<AddUserBody> {
  const missing = blanks({ ...form, role }, [...requiredOfProfile, 'role', 'password']);
  const typed = { ...form, roles: [role] };
  const checked = bySchema(addUserSchema, typed);
  const named = checked.isValid ? checked : { ...checked, fields: atRole(checked.fields) };
  return withMissing(named, missing);
}

/** Naira to add (negative: to take), and the reason. */
export function checkAdjustment(form: AdjustmentForm): Checked<Omit<AdjustBalanceBody, 'id'>> {
  const typed = { amount: typedPrice(form.amount), reason: form.reason };
  const checked = askInDoubt(bySchema(adjustmentSchema, typed), 'amount', form.amount);
  return withMissing(checked, blanks({ ...form }, ['amount', 'reason']));
}

/** A field that two admins changed: the requested and the server's current value. */
export interface ContestedField {
  field: UserField;
  mine: string;
  theirs: string;
}

function textOf(field: UserField, of: UserChanges | User): string {
  if (field === 'roles') return roleOf(of.roles ?? []);
  if (field === 'active') return '';
  if (field === 'phoneNumber') return showPhone(of[field] ?? '');
  return of[field] ?? '';
}

/** The fields of `changes` named by a 409 `conflict`; all of them if it names none. */
export function contestedFields(
  changes: UserChanges,
  named: Readonly<Record<string, string>> | undefined,
  current: User,
): ContestedField[] {
  const asked = (Object.keys(changes) as UserField[]).filter(
    (field) => changes[field] !== undefined && field !== 'active',
  );
  const contested = asked.filter((field) => named && Object.hasOwn(named, field));
  return (contested.length > 0 ? contested : asked)
    .map((field) => ({ field, mine: textOf(field, changes), theirs: textOf(field, current) }))
    .filter(({ mine, theirs }) => mine !== theirs);
}

/** `changes` without the contested fields that are not in `mine`. */
export function withoutTheirs(
  changes: UserChanges,
  contested: readonly ContestedField[],
  mine: ReadonlySet<UserField>,
): UserChanges {
  const given = new Set(contested.map(({ field }) => field).filter((field) => !mine.has(field)));
  return Object.fromEntries(
    Object.entries(changes).filter(([field]) => !given.has(field as UserField)),
  );
}

/** May this user be assigned a package? The server enforces the same (server/modules/packages). */
export function isFitCourier(user: User, senderId?: string): boolean {
  const isCourier = user.isActive && roleOf(user.roles) === 'Employee';
  return isCourier && isProfileComplete(user) && user.id !== senderId;
}

export function profileFormOf(user: User): ProfileForm {
  return {
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email ?? '',
    phoneNumber: showPhone(user.phoneNumber ?? ''),
    address: user.address ?? '',
  };
}
