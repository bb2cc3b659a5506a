/** A package as it is typed so far, beside its form in a wide window. */

import type { ReactNode } from 'react';
import type { PaymentMethod } from '#contract/package.ts';
import type { FormSummaryProps } from '#data/desk-parts.ts';
import { showPhone } from '#domain/contact-links.ts';
import { fromLocalInput } from '#domain/dates.ts';
import { formatNaira } from '#domain/money.ts';
import { typedKobo } from '#domain/package-form.ts';
import { desk as words } from '#messages/en/desk.ts';
import { fields } from '#messages/en/fields.ts';
import { packages } from '#messages/en/packages.ts';
import { wizard } from '#messages/en/wizard.ts';
import { descriptionOf } from '#package-ui/description.ts';
import { Stops } from '#package-ui/stops.tsx';
import { adoptStyles } from '#ui/adopt-styles.ts';
import { Button } from '#ui/button.tsx';
import { Card, Fact, Facts } from '#ui/card.tsx';
import styles from './package-summary.css?inline';

adoptStyles(styles);

/** In the order of the wizard's steps; the last one is open. */
const steps = [wizard.where, wizard.who, wizard.what];

export function PackageSummary({ form, onEdit }: FormSummaryProps) {
  const kobo = typedKobo(form.priceOffer);
  const noPrice = form.priceOffer.trim() === '' ? words.summary.noPrice : words.summary.wrongPrice;
  const plan = {
    status: 'pending',
    pickupAddress: form.pickupAddress || words.summary.noPickup,
    deliveryAddress: form.deliveryAddress || words.summary.noDelivery,
    pickupDate: fromLocalInput(form.pickupDate),
    deliveryDate: fromLocalInput(form.deliveryDate) || null,
  } as const;
  const { recipientName, recipientPhone, paymentMethod } = form;
  const part = (content: ReactNode, step: number) => {
    const name = steps[step];
    if (!onEdit || !name) return content;
    return (
      <div className="summary-part">
        <div>{content}</div>
        <Button tone="plain" aria-label={wizard.edit(name)} onClick={() => onEdit(step)}>
          {wizard.editShort}
        </Button>
      </div>
    );
  };
  const facts: [label: string, value: string][] = [
    [
      packages.detail.recipient,
      [recipientName.trim(), showPhone(recipientPhone)].filter(Boolean).join(' · '),
    ],
    [fields.labels.description, descriptionOf(form).join('\n')],
    [fields.labels.paymentMethod, paymentMethod && fields.methods[paymentMethod as PaymentMethod]],
  ];
  return (
    <Card title={words.summary.title}>
      <p className="summary-price" data-empty={!(kobo > 0)}>
        {kobo > 0 ? formatNaira(kobo) : noPrice}
      </p>
      {part(<Stops view={plan} />, 0)}
      <Facts>
        {facts.map(([label, value], at) => (
          <Fact key={label} label={label}>
            {part(value || '—', at + 1)}
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}
