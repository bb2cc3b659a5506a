/**
 * The writer of a change: which outbox it waited in, and its place there. The server keeps it beside
 * the version of each field, so that an edit never conflicts with an earlier one of the same outbox.
 */
import * as v from 'valibot';

export interface Writer {
  /** UUID; one per user and phone. */
  outboxId: string;
  /** Of two changes of one outbox the one with the lower number was made first. */
  order: number;
}

export const outboxIdSchema = v.pipe(v.string(), v.uuid());

/** As in the header `Kaya-Outbox`: '<outboxId>:<order>'. */
export const writerPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}:[0-9]{1,15}$';
const pattern = new RegExp(writerPattern);

export const writerText = ({ outboxId, order }: Writer) => `${outboxId}:${order}`;

/** Null: not of that form. */
export function parseWriter(text: string): Writer | null {
  if (!pattern.test(text)) return null;
  const [outboxId = '', order] = text.split(':');
  return { outboxId, order: Number(order) };
}
