/**
 * Who sees which control on which screen, as tables: there, there but disabled, or absent. Home's sheet
 * and the sidebar: home.spec.ts, sidebar.spec.ts; the list of users: users.spec.ts.
 */
import type { Locator, Page } from '@playwright/test';
import type { Account, Backstage } from '#tests/e2e/backstage.ts';
import { expect, longUnless, test } from '#tests/e2e/kaya.ts';

test.use({ hasServiceWorker: false });

type Who = 'Customer' | 'Employee' | 'Admin';
type State = 'pending' | 'inTransit' | 'pickedUp' | 'delivered' | 'cancelled';

interface World {
  people: Record<Who, Account>;
  /** Packages of the customer, on their way with the employee. */
  packages: Record<State, { _id: string; description: string; packageId: string }>;
}

/** One sender with a package in every state, the courier who has them, and the dispatcher. */
async function createWorld(backstage: Backstage): Promise<World> {
  const { call } = backstage;
  const { sender, courier, packages } = await backstage.offers(5);
  const [pending, inTransit, pickedUp, delivered, cancelled] = packages;
  if (!(pending && inTransit && pickedUp && delivered && cancelled))
    throw new Error('Nothing was created.');
  // A dispatcher of its own: other tests change the first one's profile.
  const dispatcher = await backstage.dispatcher();
  for (const pkg of [inTransit, pickedUp, delivered]) await backstage.accept(courier, pkg);
  await backstage.record(courier, pickedUp, { type: 'picked_up' });
  await call(courier, 'PATCH', `/api/packages/${delivered._id}`, { deliveryStatus: 'Delivered' });
  await call(sender, 'PATCH', `/api/packages/${cancelled._id}`, { deliveryStatus: 'Cancelled' });
  return {
    people: { Customer: sender, Employee: courier, Admin: dispatcher },
    packages: { pending, inTransit, pickedUp, delivered, cancelled },
  };
}

/** In this order: whether each can be seen. */
async function expectSeen(controls: Readonly<Record<string, Locator>>, seen: readonly string[]) {
  for (const [name, control] of Object.entries(controls)) {
    const wish = expect(control, name);
    await (seen.includes(name) ? wish.toBeVisible() : wish.toHaveCount(0));
  }
}

async function checkCard(page: Page, description: string, seen: readonly string[]) {
  const card = page.getByRole('article').filter({ hasText: description });
  await expect(card).toBeVisible();
  await expectSeen(
    {
      details: card.getByRole('link', { name: 'View Details' }),
      accept: card.getByRole('button', { name: 'Accept Delivery' }),
      assigned: card.getByRole('button', { name: 'Already Assigned' }),
    },
    seen,
  );
}

async function checkLists(page: Page, who: Who, { packages }: World) {
  const { pending, inTransit, pickedUp, delivered, cancelled } = packages;
  await page.goto('/tracking');
  await expect(page.getByRole('heading', { name: 'Tracking' })).toBeVisible();
  if (who === 'Customer') {
    await checkCard(page, pending.description, ['details']);
    await expect(page.getByRole('article')).toHaveCount(1);
    await page.getByRole('link', { name: 'In Transit', exact: true }).click();
    await checkCard(page, cancelled.description, ['details']);
    for (const { description } of [inTransit, pickedUp, delivered]) {
      await checkCard(page, description, ['details', 'assigned']);
    }
    await expect(page.getByRole('article')).toHaveCount(4);
    for (const name of ['On the way', 'Delivered', 'Cancelled']) {
      await expect(page.getByRole('heading', { name, exact: true })).toBeVisible();
    }
  } else {
    await expect(page.getByText("You haven't sent any packages yet")).toBeVisible();
  }
  await page.goto('/delivery');
  await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible();
  if (who === 'Admin') {
    await checkCard(page, pending.description, ['details']);
    await page.goto('/delivery/all');
    // Those of other tests are without a courier, which come first.
    await page.getByRole('searchbox').fill(inTransit.packageId);
    await checkCard(page, inTransit.description, ['details', 'assigned']);
    return;
  }
  await checkCard(page, pending.description, who === 'Employee' ? ['accept'] : ['details']);
  await page.getByRole('link', { name: 'In Transit', exact: true }).click();
  if (who === 'Customer') {
    await expect(page.getByText('No packages are currently assigned to you')).toBeVisible();
    return;
  }
  for (const { description } of [inTransit, pickedUp, delivered]) {
    await checkCard(page, description, ['details', 'assigned']);
  }
  await expect(page.getByRole('article').filter({ hasText: cancelled.description })).toHaveCount(0);
}

/** Actions on the recipient's link, while the link works. */
const ofLink = ['copy', 'label', 'newLink'];

const onDetail: Record<Who, Partial<Record<State, string[]>>> = {
  Customer: {
    pending: ['editSender', 'editShipment', 'delete', 'markPaid', 'remind', ...ofLink],
    inTransit: [
      ...['editSender', 'editShipment', 'delete', 'delivered', 'markPaid', 'remind'],
      ...ofLink,
    ],
    pickedUp: [
      ...['editSender', 'editShipment', 'delete', 'delivered', 'markPaid', 'goBack'],
      ...ofLink,
    ],
    delivered: ['editSender', 'delete', 'markPaid', 'confirm', 'report'],
    cancelled: ['editSender', 'delete'],
  },
  Employee: {
    pending: [],
    inTransit: ['editCourier', 'reject', 'delivered', 'markPaid'],
    pickedUp: ['editCourier', 'delivered', 'notDelivered', 'addProof', 'markPaid', 'undo'],
    delivered: ['editCourier', 'markPaid', 'undo', 'report'],
  },
  Admin: {
    pending: ['editSender', 'editShipment', 'delete', 'dispatch', 'markPaid', ...ofLink],
    inTransit: [
      ...['editSender', 'editShipment', 'editCourier', 'delete', 'delivered', 'dispatch'],
      ...['markPaid', ...ofLink],
    ],
    pickedUp: [
      ...['editSender', 'editShipment', 'editCourier', 'delete', 'delivered', 'dispatch', 'goBack'],
      ...['markPaid', ...ofLink],
    ],
    delivered: ['editSender', 'editShipment', 'editCourier', 'delete', 'dispatch', 'markPaid'],
    cancelled: ['editSender', 'editShipment', 'delete', 'dispatch'],
  },
};

/** At the thumb: the one action, and whom to call or where to go for it. */
const inBar: Record<Who, Record<State, string[]>> = {
  Customer: {
    pending: ['Send link'],
    inTransit: ['Call Sani'],
    pickedUp: ['Call Sani', 'Package Delivered'],
    delivered: ['Confirm delivery', 'Send again'],
    cancelled: ['Send again'],
  },
  Employee: {
    pending: ['Accept Delivery', 'Navigate'],
    inTransit: ['Picked up', 'Call', 'Navigate'],
    pickedUp: ['I have arrived', 'Call', 'Navigate'],
    delivered: ['Next delivery'],
    cancelled: [],
  },
  Admin: {
    pending: ['Assign courier'],
    inTransit: ['Reassign', 'Call Sani'],
    pickedUp: ['Reassign', 'Package Delivered', 'Call Sani'],
    delivered: [],
    cancelled: [],
  },
};

async function checkDetail(page: Page, who: Who, { packages, people }: World) {
  for (const [state, seen] of Object.entries(onDetail[who])) {
    await test.step(`${who} looks at the one that is ${state}`, async () => {
      await page.goto(`/package-detail/${packages[state as State]._id}`);
      for (const name of ['Sender', 'Shipment', 'Recipient', 'Delivery Personnel']) {
        await expect(page.getByRole('region', { name, exact: true })).toBeVisible();
      }
      const edit = (name: string) => page.getByRole('link', { name, exact: true });
      const button = (name: string) => page.getByRole('button', { name, exact: true });
      const buttons = {
        reject: button('Reject Delivery'),
        delivered: button('Package Delivered'),
        delete: button('Delete Package'),
        goBack: button('Return to sender'),
        notDelivered: button('Could not deliver'),
        addProof: button('Add proof'),
      };
      const inCards = {
        markPaid: button('Mark as paid'),
        undo: button('Undo'),
        report: button('Report a problem'),
        remind: button('Not now'),
        copy: button('Copy'),
        label: button('Print label'),
        newLink: button('New link'),
      };
      await expectSeen(
        {
          editSender: edit('Edit sender'),
          editShipment: edit('Edit shipment'),
          editCourier: edit('Edit delivery personnel'),
          ...buttons,
          ...inCards,
          confirm: button('Confirm delivery'),
          dispatch: page.getByRole('region', { name: 'Dispatch' }),
        },
        seen,
      );
      if (who === 'Customer' && state === 'inTransit') {
        await expect(buttons.delete).toHaveAccessibleDescription(
          'A delivery personnel is already assigned to this package. Cannot delete.',
        );
      }
      // An action of which these tables do not know fails here.
      const bar = page.locator('[data-actions]').locator('button, a');
      await expect(bar).toHaveText(inBar[who][state as State]);
      if (inBar[who][state as State].includes('Call Sani')) {
        // Not again in the courier's card.
        await expect(page.getByRole('link', { name: /^Call Sani/ })).toHaveCount(1);
      }
      const main = page.getByRole('main');
      const apart = main.locator('button:not(section *, header *, [data-actions] *)');
      const ofCards = main
        .locator('section:not(:has(h2:text-is("Dispatch"))) button:not(:has(time))')
        .filter({ hasText: /\S/ });
      const seenOf = (controls: object) =>
        Object.keys(controls).filter((name) => seen.includes(name));
      await expect(ofCards).toHaveCount(seenOf(inCards).length);
      const known = seenOf(buttons);
      const isDeliveredInBar = inBar[who][state as State].includes('Package Delivered');
      // A dispatcher's are on the Dispatch card.
      const apartCount = who === 'Admin' ? 0 : known.length - Number(isDeliveredInBar);
      await expect(apart).toHaveCount(apartCount);
      if (seen.includes('editSender')) {
        await expect(edit('Edit sender')).toHaveAttribute(
          'href',
          `/edit-user/${people.Customer.id}`,
        );
      }
    });
  }
  if (who !== 'Employee') return;
  await test.step('of what is merely on offer a courier learns no contacts', async () => {
    await page.goto(`/package-detail/${packages.pending._id}`);
    await expect(page.getByText('Shown after you accept this delivery.').first()).toBeVisible();
    await expect(page.getByText(/765 ?4321/)).toHaveCount(0);
    await page.goto(`/package-detail/${packages.cancelled._id}`);
    await expect(page.getByText('No package data found')).toBeVisible();
  });
}

/** What the edit form lets whom change; everything else is there and disabled. */
async function checkEditForm(page: Page, who: Who, { packages }: World) {
  await page.goto(`/edit-package/${packages.inTransit._id}`);
  await expect(page.getByLabel('Recipient Name')).toBeVisible();
  const can: Record<Who, string[]> = {
    Customer: ['Recipient Phone', 'Notes', 'Pickup Date', 'Delivery Date', 'Payment Status'],
    Employee: ['Payment Status'],
    Admin: [
      ...['Recipient Name', 'Recipient Phone', 'Recipient Email', 'Description', 'Notes'],
      ...['Pickup Address', 'Pickup Date', 'Delivery Address', 'Delivery Date'],
      ...['Price Offer', 'Payment Method', 'Payment Status'],
    ],
  };
  for (const label of can.Admin) {
    const field = expect(page.getByLabel(label), `${who}: ${label}`);
    await (can[who].includes(label) ? field.toBeEnabled() : field.toBeDisabled());
  }
  const status = page.getByLabel('Delivery Status');
  await expect(status.getByRole('option')).toHaveText(['Pending', 'In Transit', 'Delivered']);
  const refused: Record<Who, string[]> = { Customer: ['Pending'], Employee: [], Admin: [] };
  await expect(status.locator('option:disabled')).toHaveText(refused[who]);
  const remove = { delete: page.getByRole('button', { name: 'Delete Package' }) };
  await expectSeen(remove, who === 'Employee' ? [] : ['delete']);
}

const tabsOf: Record<Who, string[]> = {
  Customer: ['Home', 'Tracking', 'Account'],
  Employee: ['Home', 'Deliveries', 'Account'],
  Admin: ['Home', 'Tracking', 'Deliveries', 'Account'],
};

for (const who of ['Customer', 'Employee', 'Admin'] as const) {
  test(
    `${who}: every control is there, closed or absent as the rules say`,
    longUnless(who !== 'Admin'),
    async ({ signedIn, backstage }) => {
      const world = await createWorld(backstage);
      const { page } = await signedIn(world.people[who]);
      await test.step('home', async () => {
        const tabs = page.getByRole('navigation', { name: 'Main' });
        await expect(tabs.getByRole('link')).toHaveText(tabsOf[who]);
        for (const path of ['/', '/home']) {
          await page.goto(path);
          await expect(
            page.getByRole('button', { name: 'Deliver lets start shipping' }),
          ).toBeVisible();
          const whereTo = page.getByRole('button', { name: 'Where to?' });
          await expect(whereTo).toHaveCount(who === 'Employee' ? 0 : 1);
          const current = tabs.getByRole('link', { name: 'Home' });
          await expect(current).toHaveAttribute('aria-current', 'page');
        }
      });
      await test.step('lists', () => checkLists(page, who, world));
      await test.step('detail', () => checkDetail(page, who, world));
      await test.step('edit form', () => checkEditForm(page, who, world));
      await test.step('account', async () => {
        await page.goto('/account');
        await expect(page.getByText('Account Name')).toBeVisible();
        const link = (name: string) => page.getByRole('main').getByRole('link', { name });
        await expect(link('Personal Info')).toHaveAttribute('href', '/personal-info');
        await expect(link('Login & Security')).toHaveAttribute('href', '/security');
        const position = page.getByRole('checkbox', { name: 'Share my position' });
        await expectSeen(
          { users: link('Users'), sent: link('Packages I sent'), position },
          { Customer: [], Employee: ['sent', 'position'], Admin: ['users'] }[who],
        );
      });
    },
  );
}
