/** The commands of a life, as data that fast-check can generate and shrink. */
import * as fc from 'fast-check';

export const kobo = fc.integer({ min: 1, max: 20 }).map((hundreds) => hundreds * 10_050);
const method = fc.constantFrom('cash' as const, 'app' as const);
/** Biased to the first, so that one package lives long enough to be paid for. */
const nth = fc.constantFrom(0, 0, 0, 1, 2, 3);
/** Rare, since it doubles the cost. */
const isTwice = fc.constantFrom(false, false, false, true);
const maybe = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 1 });

export const command = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('create' as const), nth, kobo, method }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('topUp' as const), nth, kobo }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('settle' as const),
      nth,
      says: fc.constantFrom('success', 'success', 'success', 'failed', 'abandoned'),
      ways: fc.array(fc.constantFrom('verify', 'webhook', 'reconcile'), {
        minLength: 1,
        maxLength: 3,
      }),
    }),
  },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'accept' as const,
        'deliver' as const,
        'confirm' as const,
        'pay' as const,
      ),
      nth,
      isTwice,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('reject' as const, 'cancel' as const, 'delete' as const),
      nth,
      isTwice,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('edit' as const, 'administer' as const),
      nth,
      isTwice,
      price: maybe(kobo),
      method: maybe(method),
      status: maybe(fc.constantFrom('pending', 'in-transit', 'delivered', 'cancelled')),
      wanted: maybe(fc.constantFrom('paid' as const, 'unpaid' as const)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('adjust' as const), nth, kobo, isTaken: fc.boolean() }),
  },
);
export type Command = typeof command extends fc.Arbitrary<infer C> ? C : never;
