/** A package as it is typed so far, beside its form in a wide window. */

import type { PaymentMethod } from '#contract/package.ts';
import { showPhone } from '#domain/contact-links.ts';
import { fromLocalInput } from '#domain/dates.ts';
import { formatNaira } from '#domain/money.ts';
import { type PackageForm, typedKobo } from '#domain/package-form.ts';
import { desk as words } from '#messages/en/desk.ts';
import { fields } from '#messages/en/fields.ts';
import { packages } from '#messages/en/packages.ts';
import { Card } from '#ui/card.tsx';
import { Stops } from './stops.tsx';

export function PackageSummary({ form }: { form: PackageForm }) {
  const kobo = typedKobo(form.priceOffer);
  const noPrice = form.priceOffer.trim() === '' ? words.summary.noPrice : words.summary.wrongPrice;
  const plan = {
    status: 'pending',
    pickupAddress: form.pickupAddress || words.summary.noPickup,
    deliveryAddress: form.deliveryAddress || words.summary.noDelivery,
    pickupDate: fromLocalInput(form.pickupDate),
    deliveryDate: fromLocalInput(form.deliveryDate) || null,
  } as const;
  const { recipientName, recipientPhone, description, notes, paymentMethod } = form;
  const facts: [label: string, value: string][] = [
    [
      packages.detail.recipient,
      [recipientName.trim(), showPhone(recipientPhone)].filter(Boolean).join(' · '),
    ],
    [fields.labels.description, [description, notes].filter(Boolean).join('\n')],
    [fields.labels.paymentMethod, paymentMethod && fields.methods[paymentMethod as PaymentMethod]],
  ];
  return (
    <Card title={words.summary.title}>
      <p className="desk-price" data-empty={!(kobo > 0)}>
        {kobo > 0 ? formatNaira(kobo) : noPrice}
      </p>
      <Stops view={plan} />
      <dl className="desk-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value || '—'}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
