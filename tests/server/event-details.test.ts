/**
 * The details of each recorded type: what `requireDetails` in event-rules asks for, leaves open and
 * refuses. A new type or detail does not compile until its cells are decided here.
 */
import { describe, expect, it } from 'vitest';
import { type RecordEventBody, recordedTypes } from '#contract/event.ts';
import { Refusal } from '#server/http/refusal.ts';
import { requireDetails } from '#server/modules/packages/event-rules.ts';
import { ids } from '#tests/builders/package.ts';

type Detail = Exclude<keyof RecordEventBody, '_id' | 'type' | 'occurredAt'>;
type Cell = 'required' | 'optional' | 'refused';

const examples: { [D in Detail]-?: NonNullable<RecordEventBody[D]> } = {
  reason: 'refused',
  note: 'Nobody opened.',
  location: { lat: 12, lng: 8.5, accuracy: 20 },
  courierId: ids.otherCourier,
  proof: { recipientName: 'Musa' },
  cashCollected: true,
  corrects: ids.operation,
};

const open = {
  reason: 'optional',
  note: 'optional',
  location: 'optional',
  courierId: 'optional',
  proof: 'refused',
  cashCollected: 'refused',
  corrects: 'refused',
} as const;

const table: Record<RecordEventBody['type'], Record<Detail, Cell>> = {
  picked_up: open,
  arrived: open,
  attempt_failed: { ...open, reason: 'required', proof: 'optional' },
  return_started: open,
  returned: { ...open, proof: 'optional' },
  delivered: { ...open, proof: 'optional', cashCollected: 'optional' },
  confirmed: open,
  handover: { ...open, courierId: 'required' },
  corrected: { ...open, corrects: 'required' },
};

const details = Object.keys(examples) as Detail[];

/** The field that is named as wrong; null: none is. */
function complaint(type: RecordEventBody['type'], given: readonly Detail[]): string | null {
  const body = {
    _id: ids.operation,
    type,
    occurredAt: '2026-11-21T10:00:00.000Z',
    ...Object.fromEntries(given.map((detail) => [detail, examples[detail]])),
  };
  try {
    requireDetails(body);
    return null;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return Object.keys(error.details.fields ?? {}).join();
  }
}

describe.each(recordedTypes)('the details of %s', (type) => {
  const required = details.filter((detail) => table[type][detail] === 'required');

  it.each(details)('%s', (detail) => {
    const others = required.filter((each) => each !== detail);
    const expected: Record<Cell, [without: string | null, given: string | null]> = {
      required: [detail, null],
      optional: [null, null],
      refused: [null, detail],
    };
    const found = [complaint(type, others), complaint(type, [...others, detail])];
    expect(found).toEqual(expected[table[type][detail]]);
  });
});
