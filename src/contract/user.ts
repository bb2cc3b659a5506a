import * as v from 'valibot';
import {
  emailSchema,
  hasWholeKobo,
  idSchema,
  isBlank,
  limits,
  line,
  nairaSchema,
  noneOr,
  phoneSchema,
  versionSchema,
} from './fields.ts';

export const roles = ['Customer', 'Employee', 'Admin'] as const;
export const roleSchema = v.picklist(roles, 'Must be Customer, Employee or Admin.');
export type Role = v.InferOutput<typeof roleSchema>;

/** A person on a package. Null: withheld from the reader. */
export const partySchema = v.object({
  _id: idSchema,
  firstName: v.string(),
  lastName: v.string(),
  email: v.nullable(v.string()),
  phoneNumber: v.nullable(v.string()),
});
export type WireParty = v.InferOutput<typeof partySchema>;

/** A user in responses. A package's other party has nulls. Balance in naira. */
export const userSchema = v.object({
  _id: idSchema,
  firstName: v.string(),
  lastName: v.string(),
  email: v.nullable(v.string()),
  phoneNumber: v.nullable(v.string()),
  address: v.nullable(v.string()),
  vehicle: v.nullable(v.string()),
  status: v.string(),
  active: v.boolean(),
  roles: v.array(roleSchema),
  balance: v.nullable(nairaSchema),
  version: versionSchema,
  /** For admins: when this courier gave accepted packages back, newest first. */
  givenBackAt: v.optional(v.array(v.string())),
  /** For the user and admins: whether a link that was mailed to `email` was opened. */
  emailConfirmed: v.optional(v.boolean()),
});
export type WireUser = v.InferOutput<typeof userSchema>;

const profileEntries = {
  firstName: line(limits.name),
  lastName: line(limits.name),
  email: emailSchema,
  phoneNumber: phoneSchema,
  address: noneOr(line(limits.address)),
};

export const profileChangesSchema = v.partial(v.strictObject(profileEntries));
export type ProfileChanges = v.InferOutput<typeof profileChangesSchema>;

export const minimumNewPasswordLength = 6;

const newPassword = v.pipe(
  v.string('Must be text.'),
  v.check((text) => !isBlank(text), 'New password is required'),
  v.minLength(minimumNewPasswordLength, 'Password must be at least 6 characters'),
  v.maxLength(limits.password, `Must be at most ${limits.password} characters.`),
);

/** At least one role; domain/user's `roleOf` picks the effective one. */
const rolesSchema = v.pipe(
  v.array(roleSchema, 'Must be a list of roles.'),
  v.minLength(1, 'Must name at least one role.'),
  v.maxLength(roles.length, 'Must not name a role twice.'),
  v.check((names) => new Set(names).size === names.length, 'Must not name a role twice.'),
);

const vehicle = noneOr(line(limits.name));

const administrationEntries = {
  roles: rolesSchema,
  active: v.boolean('Must be true or false.'),
};
export const administrationFields = Object.keys(
  administrationEntries,
) as (keyof typeof administrationEntries)[];

/** PATCH /api/users: profile fields or a password, of the user `id`. */
export const patchUserSchema = v.strictObject({
  id: idSchema,
  ...v.partial(v.object({ ...profileEntries, vehicle, ...administrationEntries })).entries,
  password: v.optional(newPassword),
  baseVersion: v.optional(versionSchema),
});
export type PatchUserBody = v.InferOutput<typeof patchUserSchema>;

export const addUserSchema = v.strictObject({
  ...profileEntries,
  address: v.optional(profileEntries.address, null),
  vehicle: v.optional(vehicle, null),
  roles: rolesSchema,
  password: newPassword,
});
export type AddUserBody = v.InferOutput<typeof addUserSchema>;

/** DELETE /api/users: deactivates the account and keeps its history. */
export const deleteUserSchema = v.strictObject({ id: idSchema });

/** PATCH /api/users/balance: naira to add (negative: to take), and the reason. */
export const adjustBalanceSchema = v.strictObject({
  id: idSchema,
  amount: v.pipe(
    v.number('Must be a number.'),
    v.check((naira) => Math.abs(Math.round(naira * 100)) >= 1, 'Must not be zero.'),
    v.minValue(-limits.priceNaira, 'Must be at least -₦10,000,000.'),
    v.maxValue(limits.priceNaira, 'Must be at most ₦10,000,000.'),
    v.check(hasWholeKobo, 'Must have at most two decimals.'),
  ),
  reason: line(limits.address),
});
export type AdjustBalanceBody = v.InferOutput<typeof adjustBalanceSchema>;
