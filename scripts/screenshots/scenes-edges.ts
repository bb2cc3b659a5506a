/** The same screens with the longest texts, without a network and in sun mode. */
import type { Page } from '@playwright/test';
import { type Helpers, type Scene, scene } from './scene.ts';

interface Row {
  _id: string;
  deliveryStatus: string;
}

const longest = {
  recipientName: 'Alhaji Muhammadu Sanusi Abdulkadir-Ibrahim Danbatta',
  recipientPhone: '+234 803 555 0142',
  recipientEmail: 'muhammadu.sanusi.abdulkadir-ibrahim@danbatta-and-sons.example',
  description:
    'Four sewing machines with their tables, motors and a box of spare needles, wrapped in nylon',
  notes: 'Ask at the blue gate behind the filling station for Malam Sani; he has the key.',
  pickupAddress:
    'Kantin Kwari Textile Market, Line 4, second floor above Alhaji Bako’s store, Kano',
  deliveryAddress: 'Block 27, Flat 3B, Federal Low-Cost Housing Estate, off Hadejia Road, Yankaba',
  pickupLocation: { lat: 11.9987, lng: 8.5252 },
  deliveryLocation: { lat: 12.0143, lng: 8.5702 },
  pickupDate: '2026-11-20T16:00:00+01:00',
  deliveryDate: '2026-11-21T09:00:00+01:00',
  priceOffer: 9_999_999,
  paymentMethod: 'app',
};

/** Once: a running demo may have it already. */
async function ensureLongest({ callsOf }: Helpers): Promise<Row> {
  const call = await callsOf('longest');
  const find = async () => ((await call('GET', '/api/packages')) as Row[])[0];
  const found = await find();
  if (found) return found;
  const [self] = (await call('GET', '/api/users')) as { _id: string; email: string }[];
  await call('PATCH', '/api/users', {
    id: self?._id,
    firstName: 'Oluwafunmilayo Temitope',
    lastName: 'Adebayo-Okonkwo',
    email: self?.email,
    phoneNumber: '0803 555 0199',
  });
  await call('POST', '/api/packages', { senderId: self?._id, ...longest });
  const made = await find();
  if (!made) throw new Error('The longest package was not created.');
  return made;
}

const listed = (page: Page) => page.getByRole('article').first().waitFor();
const detailed = (page: Page) =>
  page.getByRole('heading', { name: 'Recipient', exact: true }).waitFor();

async function toSun(page: Page) {
  await page.evaluate(() => localStorage.setItem('sunMode', 'true'));
}

async function carriedPath({ call }: Helpers): Promise<string> {
  const rows = (await call('GET', '/api/packages')) as Row[];
  return `/package-detail/${rows.find((row) => row.deliveryStatus === 'In Transit')?._id}`;
}

const sunny = (scene: Omit<Scene, 'as' | 'before'>): Scene => ({
  ...scene,
  as: 'sunlit',
  before: (_, page) => toSun(page),
});

const offline = (name: string, path: Scene['path'], isShown: Scene['reach']): Scene =>
  scene('courier', name, path, async (page, helpers) => {
    await isShown(page, helpers);
    await helpers.loadDesk();
    await helpers.cutOff();
    await page.getByText(/^Offline/).waitFor();
  });

export const edgeScenes: Scene[] = [
  sunny({ name: 'home', path: '/', reach: (page) => page.getByText(/^Next stop/).waitFor() }),
  sunny({ name: 'deliveries-pending', path: '/delivery/pending', reach: listed }),
  sunny({ name: 'detail-in-transit', path: carriedPath, reach: detailed }),
  offline('deliveries-offline', '/delivery/in-transit', listed),
  offline('detail-offline', carriedPath, detailed),
  scene(
    'longest',
    'home',
    async (helpers) => {
      await ensureLongest(helpers);
      return '/';
    },
    (page) => page.getByText('Send again').waitFor(),
  ),
  scene(
    'longest',
    'detail-pending',
    async (helpers) => `/package-detail/${(await ensureLongest(helpers))._id}`,
    detailed,
  ),
  scene(
    'longest',
    'detail-label',
    async (helpers) => `/package-detail/${(await ensureLongest(helpers))._id}`,
    async (page) => {
      await page.getByRole('button', { name: 'Print label', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Label' });
      await dialog.locator('svg path').waitFor();
    },
  ),
  scene(
    'courier',
    'deliveries-longest',
    async (helpers) => {
      await ensureLongest(helpers);
      return '/delivery/pending';
    },
    (page) => page.getByText('₦9,999,999').first().waitFor(),
  ),
];
