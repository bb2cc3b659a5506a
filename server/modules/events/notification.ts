/**
 * Notifications of the triggers (server/migrations) on channel `kaya_changes`: the users that a
 * change concerns. With `package`, a row of packages changed, in transaction `xid`, and `moved`
 * says whether its pickup has another position; with `xid` alone, a user changed; without both, a
 * wallet did.
 */
import * as v from 'valibot';
import type { Role } from '#contract/user.ts';

export const channel = 'kaya_changes';

const notificationSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    users: v.array(v.string()),
    couriers: v.boolean(),
    moved: v.optional(v.boolean(), false),
    package: v.optional(v.string()),
    xid: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,18}$/))),
  }),
);
export type Notification = v.InferOutput<typeof notificationSchema>;

/** Null: unreadable. */
export function readNotification(payload: string): Notification | null {
  const parsed = v.safeParse(notificationSchema, payload);
  return parsed.success ? parsed.output : null;
}

interface Listening {
  userId: string;
  role: Role;
  /** Do rows reach this stream without a pull? */
  hasRows: boolean;
}

/**
 * Does this stream need a request to pull? A null notification concerns unknown users; streams with
 * rows then hear from the feed (feed.ts).
 */
export function mustPull(notification: Notification | null, stream: Listening): boolean {
  if (notification === null) return !stream.hasRows;
  const { users, couriers, xid } = notification;
  const { userId, role, hasRows } = stream;
  const comesAsRow = hasRows && xid !== undefined;
  if (comesAsRow && notification.package !== undefined) return false;
  if (role === 'Admin' || (couriers && role === 'Employee' && !comesAsRow)) return true;
  return users.includes(userId) || users.includes('*');
}
