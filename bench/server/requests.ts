/** The measured calls, as a client makes them. */
import { sql } from 'drizzle-orm';
import { headers } from '#contract/headers.ts';
import { pathOf, routes } from '#contract/routes.ts';
import type { Database } from '#server/database/database.ts';
import { createAccessTokens } from '#server/modules/auth/access-tokens.ts';

export interface SeededPerson {
  id: string;
  sessionId: string;
  packages: number;
}
export interface Person extends SeededPerson {
  token: string;
}

export interface Request {
  method: 'GET' | 'PATCH';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Signs tokens like the server with this secret. */
export function tokensFor(secret: string): (person: SeededPerson) => Promise<string> {
  const tokens = createAccessTokens(secret, () => new Date());
  return ({ id, sessionId }) => {
    const userInfo = { id, email: 'ali.musa@kaya.test', firstName: 'Ali', lastName: 'Musa' };
    return tokens.sign({ ...userInfo, roles: ['Employee'] }, sessionId);
  };
}

/** Couriers, and senders with the most packages first; each with a session. */
export async function peopleOf(
  db: Database,
): Promise<{ couriers: SeededPerson[]; senders: SeededPerson[] }> {
  const found = await db.execute(sql`
    select users.id, sessions.id as "sessionId", roles[1] as role,
           (select count(*)::int from packages where sender_id = users.id) as packages
      from users join sessions on sessions.user_id = users.id
     order by packages desc, users.id`);
  const rows = (found as unknown as { rows: (SeededPerson & { role: string })[] }).rows;
  return {
    couriers: rows.filter(({ role }) => role === 'Employee'),
    senders: rows.filter(({ role }) => role === 'Customer'),
  };
}

/** `since`: empty to start, else a Sync-Cursor. */
export function pulling({ token }: Person, since: string): Request {
  return {
    method: 'GET',
    path: `${routes.listPackages.path}?since=${encodeURIComponent(since)}`,
    headers: { authorization: `Bearer ${token}` },
  };
}

export function acceptBody(courierId: string): string {
  return JSON.stringify({ deliveryPersonId: courierId, deliveryStatus: 'In Transit' });
}

export function accepting({ id, token }: Person, packageId: string, key: string): Request {
  return {
    method: 'PATCH',
    path: pathOf(routes.patchPackage.path, { id: packageId }),
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      [headers.idempotencyKey]: key,
    },
    body: acceptBody(id),
  };
}
