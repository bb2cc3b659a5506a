import { expect, it } from 'vitest';
import { heldKoboOf } from '#package-ui/dispute-rules.ts';
import { moneyState } from '#package-ui/price.tsx';
import { packageView } from './package-view.ts';

it.each([
  ['cash', 'unpaid', 'pending', 'Cash on Delivery', 'plain'],
  ['cash', 'unpaid', 'delivered', 'Cash on Delivery', 'plain'],
  ['cash', 'paid', 'delivered', 'Paid in cash', 'good'],
  ['app', 'unpaid', 'pending', 'Not paid yet', 'warn'],
  ['app', 'unpaid', 'delivered', 'Not paid yet', 'warn'],
  ['app', 'unpaid', 'cancelled', 'Pay with App', 'plain'],
  ['app', 'paid', 'pending', 'Money held', 'good'],
  ['app', 'paid', 'in-transit', 'Money held', 'good'],
  ['app', 'paid', 'delivered', 'Paid out', 'good'],
] as const)('%s, %s, %s: the price says "%s"', (paymentMethod, paymentStatus, status, ...said) => {
  expect(moneyState(packageView({ paymentMethod, paymentStatus, status }))).toEqual(said);
});

it('waiting to be sent as delivered, nothing is paid out yet', () => {
  const delivered = { paymentMethod: 'app', paymentStatus: 'paid', status: 'delivered' } as const;
  const [waiting, refused] = (['waiting', 'attention'] as const).map((mark) =>
    packageView({ ...delivered, mark }),
  );
  expect([waiting, refused].map((view) => view && moneyState(view)[0])).toEqual([
    'Money held',
    'Paid out',
  ]);
});

it('paid out, it says so, whatever is reported afterwards', () => {
  const dispute = { _id: '1', by: 'sender', kind: 'damaged', text: 'Torn' } as const;
  const paid = { paymentMethod: 'app', paymentStatus: 'paid', status: 'delivered' } as const;
  expect(moneyState(packageView({ ...paid, dispute }))).toEqual(['Money held', 'good']);
  const paidOut = packageView({ ...paid, dispute, paidOutKobo: 150_000 });
  expect(moneyState(paidOut)).toEqual(['Paid out', 'good']);
  expect([heldKoboOf(paidOut), heldKoboOf({ ...paidOut, paidOutKobo: null })]).toEqual([
    0, 150_000,
  ]);
});
