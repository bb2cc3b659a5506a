import { Screen } from './screen.ts';

/** Where the sender sends the recipient's link from, on /package-detail/{id}. */
export class RecipientLinkCard extends Screen {
  readonly card = this.page.getByRole('region', { name: 'Recipient’s link' });
  readonly reminder = this.card.locator('[data-reminder]');
  /** At the thumb until it is carried. */
  readonly send = this.page.locator('[data-actions]').getByRole('button', { name: 'Send link' });
  readonly whatsApp = this.card.getByRole('link', { name: 'WhatsApp' });
  readonly sms = this.card.getByRole('link', { name: 'Message' });
  readonly copy = this.card.getByRole('button', { name: 'Copy', exact: true });
  readonly printLabel = this.card.getByRole('button', { name: 'Print label' });
  readonly theirPage = this.card.getByRole('link', { name: 'See their page' });
  readonly makeNew = this.card.getByRole('button', { name: 'New link' });
  readonly question = this.page.getByRole('dialog', { name: 'Make a new link?' });
  readonly label = this.page.getByRole('dialog', { name: 'Label' });

  async makeNewLink(): Promise<void> {
    await this.makeNew.click();
    await this.question.getByRole('button', { name: 'New link' }).click();
  }
}
