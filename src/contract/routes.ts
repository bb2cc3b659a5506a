/**
 * The calls, one row each: SPEC.md section 7 and DESIGN.md section 4. The server registers them
 * from here and the client builds its paths from here, so neither can drift.
 * Whatever is not a GET takes an Idempotency-Key; only the calls under /api/auth need no bearer token.
 */
import * as v from 'valibot';
import { loginSchema, sessionSchema, signUpAnswerSchema, signUpSchema } from './auth.ts';
import { idSchema } from './fields.ts';
import {
  createPackageSchema,
  packageListSchema,
  packageSchema,
  patchPackageSchema,
  removedSchema,
} from './package.ts';
import { patchUserSchema, userListSchema, userSchema } from './user.ts';

const byId = v.strictObject({ id: idSchema });
const nothing = v.object({});

export const routes = {
  signUp: {
    method: 'POST',
    path: '/api/auth/signup',
    body: signUpSchema,
    answer: signUpAnswerSchema,
    status: 201,
  },
  login: {
    method: 'POST',
    path: '/api/auth/login',
    body: loginSchema,
    answer: sessionSchema,
    status: 200,
  },
  logout: { method: 'POST', path: '/api/auth/logout', answer: nothing, status: 200 },
  refresh: { method: 'GET', path: '/api/auth/refresh', answer: sessionSchema, status: 200 },
  listUsers: { method: 'GET', path: '/api/users', answer: userListSchema, status: 200 },
  patchUser: {
    method: 'PATCH',
    path: '/api/users',
    body: patchUserSchema,
    answer: userSchema,
    status: 200,
  },
  listPackages: { method: 'GET', path: '/api/packages', answer: packageListSchema, status: 200 },
  getPackage: {
    method: 'GET',
    path: '/api/packages/:id',
    params: byId,
    answer: packageSchema,
    status: 200,
  },
  createPackage: {
    method: 'POST',
    path: '/api/packages',
    body: createPackageSchema,
    answer: packageSchema,
    status: 201,
  },
  patchPackage: {
    method: 'PATCH',
    path: '/api/packages/:id',
    params: byId,
    body: patchPackageSchema,
    answer: packageSchema,
    status: 200,
  },
  deletePackage: {
    method: 'DELETE',
    path: '/api/packages/:id',
    params: byId,
    answer: removedSchema,
    status: 200,
  },
} as const;

export type RouteName = keyof typeof routes;

/** '/api/packages/:id' with the id in its place. */
export function pathOf(path: string, params: Record<string, string> = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
}
