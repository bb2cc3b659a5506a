import { describe, expect, it } from 'vitest';
import { pickupComplaint, pickupPassed } from '#domain/package-form.ts';
import { packageSummary } from '#features/package-detail/components/share-button.tsx';
import { beginning } from '#features/package-form/hooks/use-save-package.ts';
import { withEditDraft, withoutEditDraft } from '#state/package-drafts.ts';
import { packageView, person } from './package-view.ts';

describe('a pickup date', () => {
  // Ten in the morning in Kano.
  const nowMs = Date.parse('2026-11-21T09:00:00.000Z');

  it('in the past is an error at its field', () => {
    expect(pickupComplaint('2026-11-21T08:59', nowMs)).toEqual({ pickupDate: pickupPassed });
    expect(pickupComplaint('2026-11-20T23:00', nowMs)).toEqual({ pickupDate: pickupPassed });
  });

  it('may be now, allowing for the last step, or later', () => {
    for (const text of ['2026-11-21T09:00', '2026-11-21T10:00', '2027-01-15T09:00']) {
      expect(pickupComplaint(text, nowMs)).toEqual({});
    }
  });

  it('that is unreadable is left to the format check', () => {
    expect(pickupComplaint('', nowMs)).toEqual({});
    expect(pickupComplaint('tomorrow', nowMs)).toEqual({});
  });
});

describe('the summary of a package', () => {
  it('has content, origin, destination, recipient and price', () => {
    const view = packageView({
      status: 'in-transit',
      courier: person('courier', 'Sani'),
      deliveryDate: '2027-01-16T09:30:00.000Z',
    });
    expect(packageSummary(view)).toBe(
      [
        'KY-000001 · In Transit',
        'Two bolts of indigo cloth',
        'Pickup: 12 Kofar Mata Road, Kano (15 Jan 2027, 09:00)',
        'Delivery: 4 Zoo Road, Kano (16 Jan 2027, 10:30)',
        'For: Musa Ibrahim',
        'With: Sani Bello',
        '₦1,500, Cash on Delivery',
      ].join('\n'),
    );
  });

  it('omits phones and e-mails', () => {
    const text = packageSummary(packageView({ courier: person('courier') }));
    expect(text).not.toMatch(/080|@/);
  });

  it('works without a number and a delivery date', () => {
    const text = packageSummary(packageView({ packageId: '' }));
    expect(text).toMatch(/^New package · Pending\n/);
    expect(text).toContain('Delivery: 4 Zoo Road, Kano\n');
  });
});

describe('edit drafts', () => {
  const view = packageView();
  const draft = { before: view, state: beginning(view, null) };

  it('keep the ten most recently edited', () => {
    let drafts = {};
    for (let number = 1; number <= 12; number += 1) {
      drafts = withEditDraft(drafts, `amina/${number}`, draft);
    }
    drafts = withEditDraft(drafts, 'amina/3', draft);
    expect(Object.keys(drafts)).toHaveLength(10);
    expect(Object.keys(drafts).at(-1)).toBe('amina/3');
    expect(drafts).not.toHaveProperty('amina/2');
  });

  it('are removed individually', () => {
    const both = withEditDraft(withEditDraft({}, 'a/1', draft), 'b/1', draft);
    expect(Object.keys(withoutEditDraft(both, 'a/1'))).toEqual(['b/1']);
  });
});
