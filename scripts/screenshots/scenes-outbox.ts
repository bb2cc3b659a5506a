/** The Changes screen. The phone of `stranded` keeps its state: its scenes build on each other. */
import { type Scene, scene } from './scene.ts';

export const outboxScenes: Scene[] = [
  scene('sender', 'changes-empty', '/outbox', (page) =>
    page.getByText('No pending changes.').waitFor(),
  ),
  {
    name: 'deliveries-accept-requested',
    as: 'stranded',
    path: '/delivery/pending',
    before: ({ answer }) => answer('PATCH', /\/api\/packages\//, 503, { message: '' }),
    reach: async (page, { loadDesk, cutOff }) => {
      await loadDesk();
      await page.getByRole('button', { name: 'Accept Delivery' }).first().click();
      await page.getByText('Accept requested').first().waitFor();
      // A successful pull would remove the line.
      await cutOff();
      await page.getByText(/^Offline/).waitFor();
    },
  },
  {
    name: 'changes-waiting',
    as: 'stranded',
    path: '/outbox',
    before: ({ answer }) => answer('PATCH', /\/api\/packages\//, 503, { message: '' }),
    reach: (page) => page.getByText('Waiting to send').first().waitFor(),
  },
  {
    name: 'forgot-password-waiting',
    as: 'stranded',
    path: '/forgot-password',
    before: ({ answer }) => answer('PATCH', /\/api\/packages\//, 503, { message: '' }),
    reach: (page) => page.getByText('1 change waits on this phone.').waitFor(),
  },
  {
    name: 'account-waiting',
    as: 'stranded',
    path: '/account',
    before: ({ answer }) => answer('PATCH', /\/api\/packages\//, 503, { message: '' }),
    reach: (page) => page.getByText('1 not sent yet').first().waitFor(),
  },
  {
    name: 'log-out-question',
    as: 'stranded',
    path: '/account',
    before: ({ answer }) => answer('PATCH', /\/api\/packages\//, 503, { message: '' }),
    reach: async (page) => {
      await page.getByText('1 not sent yet').first().waitFor();
      await page.getByRole('button', { name: 'Log Out' }).click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'changes-attention',
    as: 'stranded',
    path: '/outbox',
    before: ({ answer }) =>
      answer('PATCH', /\/api\/packages\//, 409, {
        code: 'already_assigned',
        message: 'This package has already been assigned',
      }),
    reach: async (page) => {
      await page.getByText('Needs attention').first().waitFor();
      // With more than one visit, an earlier one has already left a change that needs attention.
      await page.getByText('Waiting to send').first().waitFor({ state: 'hidden' });
    },
  },
];
