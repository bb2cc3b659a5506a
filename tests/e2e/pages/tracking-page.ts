import type { Page } from '@playwright/test';
import { Screen } from './screen.ts';

/** /t/{token}, in the browser of someone without an account. */
export class TrackingPage extends Screen {
  readonly stage = this.page.getByRole('heading', { level: 1 });
  /** What the page's script says about its connection; absent without it. */
  readonly live = this.page.locator('#live');
  /** Read out by screen readers when the stage changes. */
  readonly announced = this.page.locator('body > [role=status]');
  readonly timeline = this.page.locator('#timeline');
  readonly courier = this.page.locator('#courier');
  readonly code = this.page.locator('#code');
  readonly showMap = this.page.getByRole('button', { name: 'Show the map' });
  readonly map = this.page.locator('#map');
  readonly photo = this.page.getByRole('img', { name: 'Photo 1 of the delivery' });
  readonly note = this.page.locator('#note');
  readonly yourNote = this.page.locator('#your-note');
  readonly text = this.page.getByLabel('When, where or to whom?');
  readonly send = this.page.getByRole('button', { name: 'Tell the courier' });

  static async open(page: Page, path: string | null): Promise<TrackingPage> {
    await page.goto(path ?? '/t/');
    return new TrackingPage(page);
  }

  /** Fills in the form and sends it. */
  async tell(kind: string, text: string) {
    await this.note.getByRole('radio', { name: kind }).check();
    await this.text.fill(text);
    await this.send.click();
  }
}
