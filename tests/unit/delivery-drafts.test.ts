/** What is typed in one sheet stays there: none begins with what another asked for. */
import { describe, expect, it } from 'vitest';
import { noDelivery } from '#state/delivery-draft.ts';
import {
  type DeliverySheet,
  deliveryDraftOf,
  withoutDraft,
  withSheet,
  withTyped,
} from '#state/delivery-drafts.ts';

const sheets: DeliverySheet[] = ['deliver', 'return', 'attempt', 'report', 'decide a', 'decide b'];
const place = (sheet: DeliverySheet, packageId = 'p') => ({ userId: 'u', packageId, sheet });
const typed = { note: 'He was drunk', reason: 'other', code: '572437' };
const withAll = () =>
  sheets.reduce((drafts, sheet) => withTyped(drafts, place(sheet), { note: sheet }), {});

describe('the draft of each sheet', () => {
  it.each(sheets)('of %s is in no other', (sheet) => {
    const drafts = withTyped({}, place(sheet), typed);
    expect(deliveryDraftOf(drafts, place(sheet)).draft).toMatchObject(typed);
    for (const other of sheets.filter((each) => each !== sheet)) {
      expect(deliveryDraftOf(drafts, place(other)).draft).toEqual(noDelivery);
    }
    expect(deliveryDraftOf(drafts, place(sheet, 'q')).draft).toEqual(noDelivery);
  });

  it.each(sheets)('of %s ends alone', (sheet) => {
    const drafts = withoutDraft(withSheet(withAll(), place(sheet), true), place(sheet));
    expect(deliveryDraftOf(drafts, place(sheet))).toEqual({ draft: noDelivery, isOpen: false });
    for (const other of sheets.filter((each) => each !== sheet)) {
      expect(deliveryDraftOf(drafts, place(other)).draft.note).toBe(other);
    }
  });

  it('keeps what is typed as its sheet is closed', () => {
    const opened = withSheet({}, place('report'), true);
    const closed = withSheet(withTyped(opened, place('report'), typed), place('report'), false);
    expect(deliveryDraftOf(closed, place('report'))).toMatchObject({ draft: typed, isOpen: false });
  });

  it('is open for one sheet at a time', () => {
    const both = withSheet(withSheet({}, place('attempt'), true), place('deliver'), true);
    const open = sheets.filter((sheet) => deliveryDraftOf(both, place(sheet)).isOpen);
    expect(open).toEqual(['deliver']);
  });

  it('of the delivery is found where an older version left it', () => {
    const drafts = { 'u/p': { isOpen: 'deliver', code: '57243', note: 'He was drunk' } };
    expect(deliveryDraftOf(drafts, place('deliver'))).toMatchObject({
      draft: { code: '57243' },
      isOpen: true,
    });
    expect(deliveryDraftOf(drafts, place('report')).draft).toEqual(noDelivery);
  });
});
