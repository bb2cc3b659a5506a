import { type Scene, scene } from './scene.ts';

const payment = (as: Scene['as']): Scene =>
  scene(as, 'payment', '/payment', (page) =>
    page.getByRole('heading', { name: 'History' }).waitFor(),
  );

export const paymentScenes: Scene[] = [
  payment('sender'),
  scene('newcomer', 'payment-empty', '/payment', (page) =>
    page.getByText(/^No payments yet/).waitFor(),
  ),
  scene('sender', 'payment-without-network', '/payment', async (page, { loadDesk, cutOff }) => {
    await page.getByRole('heading', { name: 'History' }).waitFor();
    await loadDesk();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Open menu' }).click();
    const payment = page.getByRole('link', { name: 'Payment' });
    await payment.waitFor();
    await cutOff();
    await payment.click();
    await page.getByText(/^As of/).waitFor();
  }),
  scene('sender', 'deposit', '/deposit', (page) =>
    page.getByRole('button', { name: 'Proceed to Payment' }).waitFor(),
  ),
  scene('sender', 'deposit-too-little', '/deposit', async (page) => {
    await page.getByLabel('Amount (NGN)').fill('50');
    await page.getByRole('button', { name: 'Proceed to Payment' }).click();
    await page.getByText('Minimum deposit is ₦100').waitFor();
  }),
];
