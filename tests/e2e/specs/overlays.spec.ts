/** Overlays (the sheet, the sidebar, dialogs) and closing them. */
import { expect, test } from '#tests/e2e/kaya.ts';
import { HomePage } from '#tests/e2e/pages/home-page.ts';

test.use({ hasServiceWorker: false });

test('Back closes sheet and sidebar, then the screen', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const { page, shell } = await signedIn(sender);
  await shell.account.click();
  await expect(page.getByRole('heading', { name: 'Account', exact: true })).toBeVisible();
  await page.getByRole('link', { name: 'Home' }).click();
  const home = new HomePage(page);

  await home.openSheet();
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road');
  await page.goBack();
  await expect(home.fullSheet).toBeHidden();
  await expect(home.menu).toBeVisible();

  await home.openSidebar();
  await page.goBack();
  await expect(home.sidebar).toBeHidden();
  await expect(home.menu).toBeVisible();

  // Closing another way leaves no history entry: the next Back leaves the screen.
  await home.openSheet();
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(home.fullSheet).toBeHidden();
  await home.openSidebar();
  await page.keyboard.press('Escape');
  await expect(home.sidebar).toBeHidden();
  await expect(home.menu).toBeFocused();
  await expect.poll(() => page.evaluate(() => history.state?.overlays)).toBeUndefined();
  await page.goBack();
  await expect(page).toHaveURL(/\/account$/);
});

test('the sheet is dragged with a mouse again and again @long', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const { page } = await signedIn(sender);
  const home = new HomePage(page);
  for (const round of [1, 2]) {
    await test.step(`round ${round}`, async () => {
      await home.drag(-200);
      await expect(home.fullSheet).toBeVisible();
      // A selected title would be dragged as text instead.
      await home.fullSheet.dblclick({ position: { x: 25, y: 12 } });
      await home.drag(200);
      await expect(home.fullSheet).toBeHidden();
    });
  }
});

test('a package draft survives a restart, not a log-out', async ({ signedIn, backstage }) => {
  const sender = await backstage.sender();
  const { page, context } = await signedIn(sender, '/new-package');
  await page.getByLabel('Pickup Address').fill('12 Kofar Mata Road');
  await page.close();

  const again = await context.newPage();
  await again.goto('/new-package');
  await expect(again.getByLabel('Pickup Address')).toHaveValue('12 Kofar Mata Road');
  await again.goto('/account');
  await again.getByRole('button', { name: 'Log Out' }).click();
  await expect(again).toHaveURL(/\/auth$/);
  expect(await again.evaluate(() => localStorage.getItem('packageDraft'))).not.toContain('Kofar');
});
