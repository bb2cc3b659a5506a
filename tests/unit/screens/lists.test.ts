import { describe, expect, it } from 'vitest';
import { deliveriesTab, trackingTab } from '#features/packages/list-rules.ts';
import { packageView, person } from './package-view.ts';

const me = 'sender';
const ids = (contents: { views: { id: string }[] }) => contents.views.map(({ id }) => id);

const pending = packageView({ id: 'a' });
const moving = packageView({ id: 'b', status: 'in-transit', courier: person('courier') });
const cancelled = packageView({ id: 'c', status: 'cancelled' });
const foreign = packageView({ id: 'd', sender: person('other') });

describe('Tracking', () => {
  it('shows own pending packages under Pending and every other status under In Transit', () => {
    const all = [pending, moving, cancelled, foreign];
    expect(ids(trackingTab(all, me, 'pending'))).toEqual(['a']);
    expect(ids(trackingTab(all, me, 'in-transit'))).toEqual(['b', 'c']);
  });

  it('says why a tab is empty', () => {
    expect(trackingTab([foreign], me, 'pending').emptyText).toBe(
      "You haven't sent any packages yet",
    );
    expect(trackingTab([foreign], me, 'in-transit').emptyText).toBe(
      "You haven't sent any packages yet",
    );
    expect(trackingTab([moving], me, 'pending').emptyText).toBe('You have no pending packages');
    expect(trackingTab([pending], me, 'in-transit').emptyText).toBe(
      'All your packages are pending',
    );
  });

  it('puts the newest first', () => {
    const newer = packageView({ id: 'e', createdAt: '2026-11-21T11:00:00.000Z' });
    expect(ids(trackingTab([pending, newer], me, 'pending'))).toEqual(['e', 'a']);
  });
});

describe('the In Transit tab of both', () => {
  const at = (minute: number) => `2026-11-21T10:${minute}:00.000Z`;
  const mine = { courier: person('courier'), status: 'in-transit' } as const;

  it('begins with what needs somebody and ends with what is over, the latest change first', () => {
    const all = [
      packageView({ ...mine, id: 'delivered', status: 'delivered', updatedAt: at(50) }),
      packageView({ ...mine, id: 'cancelled', status: 'cancelled', updatedAt: at(55) }),
      packageView({ ...mine, id: 'old', updatedAt: at(10) }),
      packageView({ ...mine, id: 'new', updatedAt: at(20) }),
      packageView({ ...mine, id: 'waiting', mark: 'waiting', updatedAt: at(11) }),
      packageView({ ...mine, id: 'refused', mark: 'attention', updatedAt: at(10) }),
    ];
    const order = ['refused', 'waiting', 'new', 'old', 'cancelled', 'delivered'];
    expect(ids(deliveriesTab(all, 'courier', 'in-transit'))).toEqual(order);
    expect(ids(trackingTab(all, me, 'in-transit'))).toEqual(order);
  });
});

describe('Deliveries', () => {
  it('shows every pending package in sight, and those assigned to the user that are not pending', () => {
    const assignedPending = packageView({ id: 'f', courier: person('courier') });
    const another = packageView({ id: 'g', status: 'in-transit', courier: person('other') });
    const all = [pending, foreign, moving, assignedPending, another];
    expect(ids(deliveriesTab(all, 'courier', 'pending'))).toEqual(['a', 'd', 'f']);
    expect(ids(deliveriesTab(all, 'courier', 'in-transit'))).toEqual(['b']);
  });

  it('says why a tab is empty', () => {
    const assignedPending = packageView({ courier: person('courier') });
    expect(deliveriesTab([], 'courier', 'pending').emptyText).toBe('No pending packages found.');
    expect(deliveriesTab([pending], 'courier', 'in-transit').emptyText).toBe(
      'No packages are currently assigned to you',
    );
    expect(deliveriesTab([assignedPending], 'courier', 'in-transit').emptyText).toBe(
      'You only have pending packages',
    );
  });
});
