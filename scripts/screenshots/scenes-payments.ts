import type { Scene } from './scene.ts';

const payment = (as: Scene['as']): Scene => ({
  name: 'payment',
  as,
  path: '/payment',
  reach: (page) => page.getByRole('heading', { name: 'History' }).waitFor(),
});

export const paymentScenes: Scene[] = [
  payment('sender'),
  payment('courier'),
  {
    name: 'payment-empty',
    as: 'newcomer',
    path: '/payment',
    reach: (page) => page.getByText(/^No payments yet/).waitFor(),
  },
  {
    name: 'payment-without-network',
    as: 'sender',
    path: '/payment',
    reach: async (page, { loadDesk, cutOff }) => {
      await page.getByRole('heading', { name: 'History' }).waitFor();
      await loadDesk();
      await page.getByRole('button', { name: 'Back' }).click();
      await page.getByRole('button', { name: 'Open menu' }).click();
      const payment = page.getByRole('link', { name: 'Payment' });
      await payment.waitFor();
      await cutOff();
      await payment.click();
      await page.getByText(/^As of/).waitFor();
    },
  },
  {
    name: 'deposit',
    as: 'sender',
    path: '/deposit',
    reach: (page) => page.getByRole('button', { name: 'Proceed to Payment' }).waitFor(),
  },
  {
    name: 'deposit-too-little',
    as: 'sender',
    path: '/deposit',
    reach: async (page) => {
      await page.getByLabel('Amount (NGN)').fill('50');
      await page.getByRole('button', { name: 'Proceed to Payment' }).click();
      await page.getByText('Minimum deposit is ₦100').waitFor();
    },
  },
];
