import { expect, it } from 'vitest';
import { moneyState } from '#features/packages/components/price.tsx';
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
  ['app', 'paid', 'delivered', 'Paid', 'good'],
] as const)('%s, %s, %s: the price says "%s"', (paymentMethod, paymentStatus, status, ...said) => {
  expect(moneyState(packageView({ paymentMethod, paymentStatus, status }))).toEqual(said);
});
