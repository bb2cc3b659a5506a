/** A courier's earnings and payouts. The provider's answers are mocked: each state at any time. */
import type { Page } from '@playwright/test';
import type { Payments } from '#contract/payment.ts';
import type { Payout, Payouts } from '#contract/payout.ts';
import { payoutTariff, tariffToWire } from '#domain/payout.ts';
import { type Helpers, type Scene, scene } from './scene.ts';

const account = {
  bankCode: '058',
  bankName: 'Guaranty Trust Bank',
  accountName: 'SANI ABUBAKAR',
  accountNumberEnd: '6789',
  usableFrom: '2026-11-18T08:00:00.000Z',
};

const payout: Payout = {
  _id: '3b241101-e2bb-4255-8caf-4136c566a962',
  amount: 8000,
  fee: 25,
  status: 'pending',
  bankName: account.bankName,
  accountName: account.accountName,
  accountNumberEnd: account.accountNumberEnd,
  createdAt: '2026-11-20T08:32:00.000Z',
  expectedBy: '2026-11-20T10:45:00.000Z',
  endedAt: null,
  reason: null,
};

const ended = (place: number, changes: Partial<Payout>): Payout => ({
  ...payout,
  _id: payout._id.replace(/^./, String(place)),
  expectedBy: null,
  ...changes,
});

const states: Payout[] = [
  payout,
  ended(4, {
    amount: 5000,
    fee: 10,
    status: 'returned',
    endedAt: '2026-11-19T15:20:00.000Z',
    reason: 'failed',
  }),
  ended(5, { amount: 12_500, status: 'paid', endedAt: '2026-11-17T11:02:00.000Z' }),
  ended(6, { amount: 3000, fee: 10, status: 'paid', endedAt: '2026-11-13T17:45:00.000Z' }),
];

const payoutsOf = (changes: Partial<Payouts> = {}): Payouts => ({
  account,
  available: 12_350,
  minimum: 100,
  waitHours: 24,
  fees: tariffToWire(payoutTariff),
  payouts: states,
  ...changes,
});

const banks = [
  ['044', 'Access Bank'],
  ['011', 'First Bank of Nigeria'],
  ['058', 'Guaranty Trust Bank'],
  ['50211', 'Kuda Microfinance Bank'],
  ['50515', 'Moniepoint Microfinance Bank'],
  ['999992', 'OPay Digital Services (OPay)'],
  ['999991', 'PalmPay'],
  ['033', 'United Bank For Africa'],
  ['057', 'Zenith Bank'],
].map(([code, name]) => ({ code, name }));

const answerPayouts = ({ answer }: Helpers, payouts: Payouts) =>
  answer('GET', /\/api\/payouts$/, 200, payouts);

const loaded = (page: Page) => page.getByRole('heading', { name: 'History' }).waitFor();

const shown = (name: string, payouts: Payouts, reach: Scene['reach'] = loaded): Scene => ({
  ...scene('courier', name, '/payment', reach),
  before: (helpers) => answerPayouts(helpers, payouts),
});

const cashOut = async (page: Page) => {
  await page.getByRole('button', { name: 'Cash out', exact: true }).click();
  await page.getByRole('dialog').getByText('Arrives').or(page.getByText('Fee')).first().waitFor();
};

/** With the bank chosen and a whole number. */
async function typeAccount(page: Page) {
  await page.getByRole('button', { name: 'Add bank account' }).click();
  await page.getByLabel('Bank', { exact: true }).fill('gtb');
  await page.getByRole('button', { name: 'Guaranty Trust Bank' }).click();
  await page.getByLabel('Account number').fill('0123456789');
}

const added = (name: string, resolved: [number, object], reach: Scene['reach']): Scene => ({
  ...shown(name, payoutsOf({ account: null, payouts: [] }), reach),
  before: async (helpers) => {
    await answerPayouts(helpers, payoutsOf({ account: null, payouts: [] }));
    await helpers.answer('GET', /\/api\/payouts\/banks$/, 200, banks);
    await helpers.answer('GET', /\/api\/payouts\/resolve/, ...resolved);
  },
});

const found: [number, object] = [200, { accountName: 'SANI MUHAMMAD ABUBAKAR' }];
const unknown: [number, object] = [422, { code: 'account_unknown', message: 'Not known.' }];

const long = {
  bankName: 'Abbey Mortgage and Microfinance Bank of Northern Nigeria',
  accountName: 'OLUWAFUNMILAYO CHUKWUEMEKA ADEBAYO-OGUNLESI',
};

/** Millions earned today, and names as long as banks have them. */
const millions: Payments = {
  available: 3_124_750.5,
  held: 0,
  earned: 99_412_300,
  onItsWay: 1_250_000,
  entries: [
    ['2026-11-20T08:00:00.000Z', 1_204_500.5],
    ['2026-11-19T08:00:00.000Z', 2_310_000],
    ['2026-11-17T08:00:00.000Z', 640_000],
    ['2026-11-10T08:00:00.000Z', 1000],
  ].map(([createdAt, amount], at) => ({
    _id: `${at}b241101-e2bb-4255-8caf-4136c566a962`,
    kind: 'release' as const,
    amount: Number(amount),
    heldAmount: 0,
    balance: 3_124_750.5,
    heldBalance: 0,
    package: null,
    note: null,
    cause: null,
    createdAt: String(createdAt),
  })),
  next: null,
};

export const payoutScenes: Scene[] = [
  shown('payment', payoutsOf()),
  { ...shown('payment-payouts', payoutsOf()), isFoot: false, reach: showPayouts },
  { ...shown('payment-foot', payoutsOf()), isFoot: true },
  shown(
    'payment-waits',
    payoutsOf({ account: { ...account, usableFrom: '2026-11-21T08:15:00.000Z' }, payouts: [] }),
  ),
  // Before the scenes with a sheet, which leave an entry behind that Back would lead to.
  shown('payment-without-network', payoutsOf(), async (page, { loadDesk, cutOff }) => {
    await loaded(page);
    await loadDesk();
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Open menu' }).click();
    const payment = page.getByRole('link', { name: 'Payment' });
    await payment.waitFor();
    await cutOff();
    await payment.click();
    await page.getByRole('button', { name: 'Connect to cash out' }).waitFor();
  }),
  shown('payment-cash-out', payoutsOf(), cashOut),
  shown('payment-too-much', payoutsOf(), async (page) => {
    await cashOut(page);
    await page.getByLabel('Amount', { exact: true }).fill('20000');
    await page.getByRole('dialog').locator('[type="submit"]').click();
    await page.getByText(/you can cash out up to/).waitFor();
  }),
  added('payment-account', found, async (page) => {
    await page.getByRole('button', { name: 'Add bank account' }).click();
    await page.getByRole('button', { name: 'Access Bank' }).waitFor();
  }),
  added('payment-account-name', found, async (page) => {
    await typeAccount(page);
    await page.getByText('Is this you?').waitFor();
  }),
  added('payment-account-unknown', unknown, async (page) => {
    await typeAccount(page);
    await page.getByText(/doesn’t know this number/).waitFor();
  }),
  {
    ...shown('payment-millions', payoutsOf()),
    before: async (helpers) => {
      await answerPayouts(
        helpers,
        payoutsOf({
          available: millions.available,
          account: { ...account, ...long },
          payouts: states.map((each) => ({ ...each, ...long, amount: each.amount * 250 + 0.5 })),
        }),
      );
      await helpers.answer('GET', /\/api\/payments\?/, 200, millions);
    },
  },
];

async function showPayouts(page: Page) {
  await loaded(page);
  await page.getByRole('button', { name: 'Show more payouts' }).click();
  await page.getByRole('heading', { name: 'Payouts' }).scrollIntoViewIfNeeded();
  await page
    .getByRole('heading', { name: 'Payouts' })
    .evaluate((heading) => heading.scrollIntoView());
}
