/** What a package's timeline says, with and without its events. */
import { describe, expect, it } from 'vitest';
import type { PackageView } from '#domain/overlay.ts';
import { rowTimeline } from '#features/packages/timeline-rules.ts';
import { packageView, person } from './package-view.ts';

const carried = { status: 'in-transit', courier: person('courier', 'Sani') } as const;

describe('without events, the timeline', () => {
  const steps = (change: Partial<PackageView>) =>
    rowTimeline(packageView(change)).map(({ name, state, at }) => [name, state === 'done', at]);
  const deliveryDate = '2027-01-16T09:30:00.000Z';
  const { createdAt } = packageView();

  it.each<[string, Partial<PackageView>, unknown[]]>([
    [
      'on offer: due as agreed',
      { deliveryDate },
      [
        ['accepted', false, null],
        ['delivered', false, deliveryDate],
      ],
    ],
    [
      'an acceptance that is not confirmed has not happened',
      { ...carried, isAcceptRequested: true },
      [
        ['accepted', false, null],
        ['delivered', false, null],
      ],
    ],
    [
      'carried',
      carried,
      [
        ['accepted', true, null],
        ['delivered', false, null],
      ],
    ],
    [
      'delivered: at a time that is not recorded, so none is claimed',
      { ...carried, status: 'delivered', deliveryDate },
      [
        ['accepted', true, null],
        ['delivered', true, null],
      ],
    ],
    [
      'picked up, tried once',
      {
        ...{ ...carried, progress: 'attempted', attempts: 1, deliveryDate },
        lastAttempt: { reason: 'closed', at: deliveryDate },
      },
      [
        ['accepted', true, null],
        ['picked_up', true, null],
        ['attempt_failed', true, deliveryDate],
        ['delivered', false, deliveryDate],
      ],
    ],
    [
      'on its way back',
      { ...carried, progress: 'returning' },
      [
        ['accepted', true, null],
        ['picked_up', true, null],
        ['returned', false, null],
      ],
    ],
    ['brought back', { status: 'cancelled', outcome: 'returned' }, [['returned', true, null]]],
    ['cancelled', { status: 'cancelled', deliveryDate }, [['cancelled', true, null]]],
  ])('%s', (_, change, after) => {
    expect(steps(change)).toEqual([['created', true, createdAt], ...after]);
  });
});
