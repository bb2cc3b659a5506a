/**
 * The writer of a change: its outbox and position. The server stores it with each field's version,
 * so that an edit never conflicts with an earlier one of the same outbox.
 */
import * as v from 'valibot';

export interface Writer {
  /** UUID; one per user and phone. */
  outboxId: string;
  /** Orders the changes of one outbox, ascending. */
  order: number;
}

export const outboxIdSchema = v.pipe(v.string(), v.uuid());

/** The header `Kaya-Outbox`: '<outboxId>:<order>'. */
export const writerPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}:[0-9]{1,15}$';
const pattern = new RegExp(writerPattern);

export const writerText = ({ outboxId, order }: Writer) => `${outboxId}:${order}`;

/** Null if malformed. */
export function parseWriter(text: string): Writer | null {
  if (!pattern.test(text)) return null;
  const [outboxId = '', order] = text.split(':');
  return { outboxId, order: Number(order) };
}
