import type { Page } from '@playwright/test';
import { type Helpers, type Scene, scene } from './scene.ts';

interface Row {
  _id: string;
  deliveryStatus: string;
  deliveryPersonId: { _id: string } | null;
  progress: string | null;
  dispute: object | null;
}

/** The role's first package with this status, if possible one that is not picked up yet. */
async function idOf({ call }: Helpers, status: string): Promise<string> {
  const rows = ((await call('GET', '/api/packages')) as Row[]).filter(
    ({ deliveryStatus }) => deliveryStatus === status,
  );
  const found = rows.find(({ progress }) => progress === 'accepted') ?? rows[0];
  if (!found) throw new Error(`This role has no package that is ${status}.`);
  return found._id;
}

const at = (place: string, status: string) => async (helpers: Helpers) =>
  `/${place}/${await idOf(helpers, status)}`;

const ways: Record<string, readonly object[]> = {
  arrived: [{ type: 'picked_up' }, { type: 'arrived' }],
  attempted: [{ type: 'attempt_failed', reason: 'recipient_unavailable' }],
  returning: [{ type: 'attempt_failed', reason: 'refused' }, { type: 'return_started' }],
};

/** The courier's last package, brought to this step; the scenes come in the order of the steps. */
const broughtTo = (step: 'arrived' | 'attempted') => async (helpers: Helpers) => {
  const rows = (await helpers.call('GET', '/api/packages')) as Row[];
  const { _id, progress } = rows.filter((row) => row.deliveryStatus === 'In Transit').at(-1) as Row;
  const isTried = progress === 'attempted' && step === 'arrived';
  const events = progress === step ? [] : (ways[step] ?? []).slice(isTried ? 1 : 0);
  for (const event of events) {
    const moment = { _id: crypto.randomUUID(), occurredAt: new Date().toISOString() };
    await helpers.call('POST', `/api/packages/${_id}/events`, { ...event, ...moment });
  }
  return `/package-detail/${_id}`;
};

/** A package that only the recipient's code delivers. */
async function codeShown(helpers: Helpers) {
  const id = await idOf(helpers, 'Pending');
  await helpers.call('PATCH', `/api/packages/${id}`, { handover: 'code' });
  return `/package-detail/${id}`;
}

const parcel = {
  recipientName: 'Musa Ibrahim',
  recipientPhone: '0805 765 4321',
  description: 'A phone in its box',
  pickupAddress: '12 Kofar Mata Road, Kano',
  deliveryAddress: '4 Zoo Road, Kano',
  pickupDate: '2026-11-20T09:00:00+01:00',
  priceOffer: 1550,
  paymentMethod: 'cash',
  handover: 'code',
};

/** A package of the sender's made just now, whose recipient does not have the link yet. */
const untold = (handover: 'none' | 'code') => async (helpers: Helpers) => {
  const bySender = await helpers.callsOf('sender');
  const description = handover === 'code' ? 'A pair of sandals' : 'A box of tea';
  const rows = (await bySender('GET', '/api/packages')) as (Row & { description: string })[];
  const known = rows.find((row) => row.description === description);
  if (known) return `/package-detail/${known._id}`;
  const made = { ...parcel, handover, description };
  const { _id } = (await bySender('POST', '/api/packages', made)) as Row;
  return `/package-detail/${_id}`;
};

/** A package on its way, whose recipient told the courier something. */
async function noted(helpers: Helpers) {
  const [bySender, byCourier] = [await helpers.callsOf('sender'), await helpers.callsOf('courier')];
  const description = 'A case of soap';
  const rows = (await bySender('GET', '/api/packages')) as (Row & { description: string })[];
  const known = rows.find((row) => row.description === description);
  if (known) return `/package-detail/${known._id}`;
  const made = { ...parcel, handover: 'none', description };
  const { _id, trackingPath } = (await bySender('POST', '/api/packages', made)) as Row & {
    trackingPath: string;
  };
  const carried = (await byCourier('GET', '/api/packages')) as Row[];
  const self = carried.find(({ deliveryPersonId }) => deliveryPersonId !== null)?.deliveryPersonId;
  const accepted = { deliveryPersonId: self?._id, deliveryStatus: 'In Transit' };
  await byCourier('PATCH', `/api/packages/${_id}`, accepted);
  const note = {
    kind: 'safe_place',
    text: 'I am out until 4. Leave it with the guard at the gate.',
  };
  await byCourier('POST', `/api/track/${trackingPath.slice('/t/'.length)}/notes`, note);
  return `/package-detail/${_id}`;
}

const linkShown = (page: Page) => page.getByRole('link', { name: 'See their page' }).waitFor();

const label = (name: string, handover: 'none' | 'code'): Scene =>
  scene('sender', name, untold(handover), async (page) => {
    await press(page, 'Print label');
    const dialog = page.getByRole('dialog', { name: 'Label' });
    await dialog.waitFor();
    if (handover === 'none') await dialog.locator('svg path').waitFor();
  });

/** A package delivered just now, of which the sender may have reported a problem. */
const delivered = (isDisputed: boolean) => async (helpers: Helpers) => {
  const [bySender, byCourier] = [await helpers.callsOf('sender'), await helpers.callsOf('courier')];
  const description = isDisputed ? 'Two bolts of cloth' : 'A kettle';
  const rows = (await bySender('GET', '/api/packages')) as (Row & { description: string })[];
  const known = rows.find((row) => row.description === description);
  if (known) return `/package-detail/${known._id}`;
  const made = { ...parcel, handover: 'none', description };
  const { _id } = (await bySender('POST', '/api/packages', made)) as Row;
  const carried = (await byCourier('GET', '/api/packages')) as Row[];
  const self = carried.find(({ deliveryPersonId }) => deliveryPersonId !== null)?.deliveryPersonId;
  const place = `/api/packages/${_id}`;
  await byCourier('PATCH', place, { deliveryPersonId: self?._id, deliveryStatus: 'In Transit' });
  await byCourier('PATCH', place, { deliveryStatus: 'Delivered' });
  if (isDisputed) {
    const problem = { kind: 'damaged', text: 'The cloth is wet, and one of the bolts is torn.' };
    await bySender('POST', `${place}/disputes`, { ...problem, _id: crypto.randomUUID() });
  }
  return `/package-detail/${_id}`;
};

/** The courier stands with a package that needs a code, at its door or back at its sender's. */
const withCode = (step: 'arrived' | 'returning') => async (helpers: Helpers) => {
  const bySender = await helpers.callsOf('sender');
  const description = step === 'arrived' ? parcel.description : 'A box of shoes';
  const rows = (await helpers.call('GET', '/api/packages')) as (Row & { description: string })[];
  const known = rows.find((row) => row.description === description && row.progress === step);
  if (known) return `/package-detail/${known._id}`;
  const { _id } = (await bySender('POST', '/api/packages', { ...parcel, description })) as Row;
  const self = rows.find(({ deliveryPersonId }) => deliveryPersonId !== null)?.deliveryPersonId;
  const accepted = { deliveryPersonId: self?._id, deliveryStatus: 'In Transit' };
  await helpers.call('PATCH', `/api/packages/${_id}`, accepted);
  const way = [...(ways.arrived ?? []), ...(step === 'returning' ? (ways.returning ?? []) : [])];
  for (const event of way) {
    const moment = { _id: crypto.randomUUID(), occurredAt: new Date().toISOString() };
    await helpers.call('POST', `/api/packages/${_id}/events`, { ...event, ...moment });
  }
  return `/package-detail/${_id}`;
};

const atTheDoor = (name: string, reach: (page: Page) => Promise<void>): Scene =>
  scene('courier', name, withCode('arrived'), async (page) => {
    await press(page, 'Package Delivered');
    await page.getByRole('dialog').waitFor();
    await reach(page);
  });

/** A picture as a phone's camera hands it over. */
async function takePhoto(page: Page) {
  const drawn = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: 1200 });
    const context = canvas.getContext('2d') as CanvasRenderingContext2D;
    const fill = (colour: string, ...box: [number, number, number, number]) => {
      context.fillStyle = colour;
      context.fillRect(...box);
    };
    fill('#d8c7a6', 0, 0, 1600, 1200);
    fill('#5b3a21', 560, 120, 480, 900);
    fill('#f0d9a8', 960, 560, 40, 60);
    fill('#b98a4f', 420, 800, 380, 280);
    fill('#e8cf9b', 580, 800, 60, 280);
    fill('#8c8577', 0, 1080, 1600, 120);
    return canvas.toDataURL('image/jpeg', 0.9).split(',')[1] ?? '';
  });
  const file = { name: 'door.jpg', mimeType: 'image/jpeg', buffer: Buffer.from(drawn, 'base64') };
  const photo = page.getByRole('img', { name: 'Photo 1' });
  if (!(await photo.isVisible())) await page.getByLabel('Take photo').setInputFiles(file);
  await photo.waitFor();
}

const listed = (page: Page) => page.getByRole('article').first().waitFor();

const detailed = (page: Page) =>
  page.getByRole('heading', { name: 'Recipient', exact: true }).waitFor();

const list = (name: string, as: Scene['as'], path: string): Scene => scene(as, name, path, listed);

const emptyList = (name: string, as: Scene['as'], path: string, sentence: string): Scene =>
  scene(as, name, path, (page) => page.getByText(sentence).waitFor());

const detail = (name: string, as: Scene['as'], status: string): Scene =>
  scene(as, name, at('package-detail', status), detailed);

async function press(page: Page, name: string) {
  await page.getByRole('button', { name, exact: true }).click();
}

export const packageScenes: Scene[] = [
  list('tracking-pending', 'sender', '/tracking/pending'),
  list('tracking-in-transit', 'sender', '/tracking/in-transit'),
  emptyList('tracking-empty', 'newcomer', '/tracking', "You haven't sent any packages yet"),
  emptyList(
    'tracking-in-transit-empty',
    'newcomer',
    '/tracking/in-transit',
    "You haven't sent any packages yet",
  ),
  list('deliveries-pending', 'courier', '/delivery/pending'),
  list('deliveries-in-transit', 'courier', '/delivery/in-transit'),
  emptyList(
    'deliveries-empty',
    'sender',
    '/delivery/in-transit',
    'No packages are currently assigned to you',
  ),
  emptyList('deliveries-profile-incomplete', 'recruit', '/delivery/pending', 'Profile Incomplete'),
  emptyList('tracking-empty', 'dispatcher', '/tracking', "You haven't sent any packages yet"),
  list('deliveries', 'dispatcher', '/delivery/pending'),
  list('deliveries-all', 'dispatcher', '/delivery/all'),
  detail('detail-pending', 'sender', 'Pending'),
  detail('detail-in-transit', 'sender', 'In Transit'),
  detail('detail-delivered', 'sender', 'Delivered'),
  detail('detail-in-transit', 'courier', 'In Transit'),
  detail('detail-in-transit', 'dispatcher', 'In Transit'),
  detail('detail-pending', 'dispatcher', 'Pending'),
  scene('sender', 'detail-code', codeShown, (page) =>
    page.getByRole('img', { name: 'QR code to scan' }).locator('path').waitFor(),
  ),
  scene(
    'sender',
    'detail-code-arrived',
    async (helpers) => withCode('arrived')({ ...helpers, call: await helpers.callsOf('courier') }),
    (page) => page.getByRole('img', { name: 'QR code to scan' }).locator('path').waitFor(),
  ),
  scene('sender', 'detail-link', untold('none'), linkShown),
  scene('dispatcher', 'detail-link', untold('none'), linkShown),
  scene('sender', 'detail-link-question', untold('none'), (page) => press(page, 'New link')),
  scene('courier', 'detail-note', noted, (page) =>
    page.getByText('Recipient: A safe place').waitFor(),
  ),
  label('detail-label', 'none'),
  label('detail-label-code', 'code'),
  scene(
    'sender',
    'home-untold',
    async (helpers) => {
      await untold('none')(helpers);
      return '/';
    },
    (page) => page.getByText('Send the link to Musa Ibrahim').waitFor(),
  ),
  scene('sender', 'detail-report', delivered(false), async (page) => {
    await press(page, 'Report a problem');
    await page.getByRole('dialog').waitFor();
  }),
  scene('sender', 'detail-problem', delivered(true), (page) =>
    page.getByText('Problem reported').first().waitFor(),
  ),
  scene('dispatcher', 'detail-decide', delivered(true), async (page) => {
    await press(page, 'Resolve problem');
    await page.getByLabel('Both, in part').check();
  }),
  {
    name: 'detail-foot',
    as: 'courier',
    path: at('package-detail', 'In Transit'),
    isFoot: true,
    reach: detailed,
  },
  scene('courier', 'detail-arrived', broughtTo('arrived'), (page) =>
    page.getByText('At the drop-off').first().waitFor(),
  ),
  scene('courier', 'detail-could-not-deliver', broughtTo('arrived'), async (page) => {
    await press(page, 'Could not deliver');
    await page.getByLabel('Recipient unavailable').check();
  }),
  scene('courier', 'detail-not-delivered', broughtTo('attempted'), (page) =>
    page.getByText('Not delivered: Recipient unavailable').first().waitFor(),
  ),
  scene('courier', 'detail-reject-question', at('package-detail', 'In Transit'), async (page) => {
    await detailed(page);
    await press(page, 'Reject Delivery');
    await page.getByText('Are you sure you want to reject this delivery assignment?').waitFor();
  }),
  scene('sender', 'detail-delete-question', at('package-detail', 'Pending'), async (page) => {
    await detailed(page);
    await press(page, 'Delete Package');
    await page.getByText(/This action cannot be undone/).waitFor();
  }),
  scene('courier', 'deliveries-arranged', '/delivery/pending', async (page) => {
    await listed(page);
    await page.getByRole('searchbox').fill('Zaria Road');
    await page.getByRole('button', { name: /filter|sort|arrange/i }).click();
    await page.getByRole('combobox').first().waitFor();
  }),
  scene('courier', 'deliveries-none-found', '/delivery/pending', async (page) => {
    await listed(page);
    await page.getByRole('searchbox').fill('nothing of this name');
    await page.getByRole('article').first().waitFor({ state: 'detached' });
  }),
  scene(
    'sender',
    'detail-unknown',
    '/package-detail/00000000-0000-4000-8000-000000000000',
    (page) =>
      page
        .getByText(/No package data found|Error: /)
        .first()
        .waitFor(),
  ),
  scene('sender', 'edit-package', at('edit-package', 'Pending'), (page) =>
    page.getByLabel('Recipient Name').waitFor(),
  ),
  scene('sender', 'edit-package-complaints', at('edit-package', 'Pending'), async (page) => {
    await page.getByLabel('Recipient Name').fill('  ');
    await page.getByLabel('Price Offer').fill('-3');
    await press(page, 'Save Changes');
    await page.locator('[aria-invalid="true"]').first().waitFor();
  }),
  atTheDoor('deliver-code', (page) => page.getByLabel('Recipient’s code').waitFor()),
  atTheDoor('deliver-code-wrong', async (page) => {
    await page.getByRole('radio', { name: 'Cash collected' }).check();
    await page.getByLabel('Recipient’s code').fill('123456');
    await page.getByText('This code is not right').waitFor();
  }),
  atTheDoor('deliver-code-whole', async (page) => {
    await page.getByRole('radio', { name: 'Cash collected' }).check();
    await page.getByLabel('Recipient’s code').fill('572437');
    await page.getByText('The code is complete.').waitFor();
  }),
  atTheDoor('deliver-scan', async (page) => {
    await press(page, 'Scan code');
    // Without a camera, as the browser that takes the picture.
    await page.getByText(/camera can’t be used|Camera access is off/i).waitFor();
  }),
  atTheDoor('deliver-no-code', async (page) => {
    await press(page, 'No code?');
    await page.getByText('Photo of the package').waitFor();
  }),
  atTheDoor('deliver-photo', async (page) => {
    await page.getByRole('radio', { name: 'Cash collected' }).check();
    await press(page, 'No code?');
    await takePhoto(page);
    await page.getByRole('radio', { name: 'Neighbour' }).check();
    await page.getByLabel('Their name').fill('Hauwa Sule');
  }),
  atTheDoor('deliver-signature', async (page) => {
    await press(page, 'No code?');
    await press(page, 'Add signature (optional)');
    const box = await page.getByRole('img', { name: 'Sign here' }).boundingBox();
    if (!box) throw new Error('There is no place to sign.');
    const place = (x: number, y: number) =>
      [box.x + (x * box.width) / 100, box.y + (y * box.height) / 100] as const;
    await page.mouse.move(...place(15, 60));
    await page.mouse.down();
    for (const [x, y] of [
      ...[
        [22, 25],
        [28, 70],
        [36, 35],
        [42, 62],
        [50, 48],
        [58, 60],
        [70, 40],
        [86, 52],
      ],
    ] as [number, number][])
      await page.mouse.move(...place(x, y), { steps: 6 });
    await page.mouse.up();
  }),
  scene('courier', 'return-code', withCode('returning'), async (page) => {
    await press(page, 'Package returned');
    await page.getByLabel('Sender’s return code').waitFor();
  }),
];
