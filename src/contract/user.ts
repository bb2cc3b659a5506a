/** Users on the wire: SPEC.md section 3. */
import * as v from 'valibot';
import {
  emailSchema,
  idSchema,
  limits,
  line,
  noneOr,
  phoneSchema,
  versionSchema,
} from './fields.ts';

export const roles = ['Customer', 'Employee', 'Admin'] as const;
export const roleSchema = v.picklist(roles, 'Must be Customer, Employee or Admin.');
export type Role = v.InferOutput<typeof roleSchema>;

/** Somebody on a package: null where the reader may not see it (DESIGN.md section 3). */
export const partySchema = v.object({
  _id: idSchema,
  firstName: v.string(),
  lastName: v.string(),
  email: v.nullable(v.string()),
  phoneNumber: v.nullable(v.string()),
});
export type WireParty = v.InferOutput<typeof partySchema>;

/** A user as the server shows one. A counterpart on a package comes with nulls. Balance in naira. */
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
  balance: v.nullable(v.number()),
  version: versionSchema,
});
export type WireUser = v.InferOutput<typeof userSchema>;

export const userListSchema = v.array(userSchema);

/** The fields that a person edits of themselves. `address` may be emptied. */
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

/** PATCH /api/users: profile fields or a password, of the user `id`. */
export const patchUserSchema = v.strictObject({
  id: idSchema,
  ...v.partial(v.object(profileEntries)).entries,
  password: v.optional(
    v.pipe(
      v.string('Must be text.'),
      v.minLength(minimumNewPasswordLength, 'Password must be at least 6 characters'),
      v.maxLength(limits.password, `Must be at most ${limits.password} characters.`),
    ),
  ),
  baseVersion: v.optional(versionSchema),
});
export type PatchUserBody = v.InferOutput<typeof patchUserSchema>;
