import * as v from 'valibot';
import { emailSchema, idSchema, limits } from './fields.ts';
import { roleSchema, userSchema } from './user.ts';

/** Roles open to sign-up; the deployment or an admin creates Admins. */
export const registrableRoles = ['Customer', 'Employee'] as const;

export const minimumPasswordLength = 8;

const password = v.pipe(
  v.string('Must be text.'),
  v.maxLength(limits.password, `Must be at most ${limits.password} characters.`),
);

const chosenPassword = v.pipe(
  password,
  v.minLength(minimumPasswordLength, 'Password must be at least 8 characters.'),
);

export const signUpSchema = v.strictObject({
  email: emailSchema,
  password: chosenPassword,
  role: v.picklist(registrableRoles, 'Must be Customer or Employee.'),
});
export type SignUpBody = v.InferOutput<typeof signUpSchema>;

export const loginSchema = v.strictObject({
  email: emailSchema,
  password: v.pipe(password, v.nonEmpty('Must not be empty.')),
  trustDevice: v.optional(v.boolean(), false),
});
export type LoginBody = v.InferInput<typeof loginSchema>;

export const sessionSchema = v.object({ accessToken: v.string() });
export const signUpAnswerSchema = v.object({ accessToken: v.string(), user: userSchema });

/** In the fragment of a mailed link: 32 random bytes in base64url. */
export const accountTokenSchema = v.pipe(
  v.string('Must be text.'),
  v.regex(/^[\w-]{43}$/, 'Must be the token of a link from a mail.'),
);

export const forgotPasswordSchema = v.strictObject({ email: emailSchema });
export const resetPasswordSchema = v.strictObject({
  token: accountTokenSchema,
  password: chosenPassword,
});
export type ResetPasswordBody = v.InferOutput<typeof resetPasswordSchema>;
export const confirmEmailSchema = v.strictObject({ token: accountTokenSchema });

/** A login of the caller. `device`: 'Chrome on Android', or 'Unknown device'. */
const deviceSessionSchema = v.object({
  _id: idSchema,
  device: v.string(),
  createdAt: v.string(),
  lastSeenAt: v.string(),
  isCurrent: v.boolean(),
});
export type DeviceSession = v.InferOutput<typeof deviceSessionSchema>;
/** The last used first. */
export const deviceSessionsSchema = v.array(deviceSessionSchema);

/** The payload of the access token: `{ userInfo }` beside the registered claims. */
export const tokenPayloadSchema = v.object({
  userInfo: v.object({
    id: v.string(),
    email: v.string(),
    // A role unknown to this version gives no rights; without any, the app shows the sign-in form.
    roles: v.pipe(
      v.array(v.string()),
      v.transform((roles) => roles.filter((role) => v.is(roleSchema, role))),
    ),
    firstName: v.string(),
    lastName: v.string(),
  }),
});
export type UserInfo = v.InferOutput<typeof tokenPayloadSchema>['userInfo'];
