/** The four cards of the detail page: SPEC.md section 2, 'Package detail'. */
import { Link } from 'react-router-dom';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { can, canEditUser, factsOf } from '#domain/policy.ts';
import { displayName, type Party } from '#domain/user.ts';
import { useActor } from '#live/use-actor.ts';
import { buttonClass } from '#ui/button.tsx';
import { Card, Fact, Facts } from '#ui/card.tsx';
import { AddressFact } from './address-fact.tsx';
import { ContactActions } from './contact-actions.tsx';
import css from './detail.module.css';
import { When, WhenBoth } from './when.tsx';
import { words } from './words.ts';

interface CardProps {
  view: PackageView;
}

function EditLink({ to, label }: { to: string; label: string }) {
  return (
    <Link className={buttonClass('plain')} to={to} aria-label={label}>
      {words.detail.edit}
    </Link>
  );
}

/** What stands in place of a contact: withheld until accepted, or never given. */
function useContactText(view: PackageView) {
  const actor = useActor();
  const { afterAccepting, onceConfirmed, notGiven } = words.detail;
  const isAllowed = can(actor, 'viewContacts', factsOf(view)).isAllowed;
  const missing = view.isAcceptRequested ? onceConfirmed : isAllowed ? notGiven : afterAccepting;
  return (contact: string | null) => contact || missing;
}

function PersonFacts({ view, person }: CardProps & { person: Party }) {
  const contact = useContactText(view);
  const actor = useActor();
  const name = displayName(person);
  const isOther = person.id !== actor.id;
  return (
    <>
      <Facts>
        <Fact label={words.detail.name}>{name}</Fact>
        <Fact label={words.detail.phone}>{contact(person.phoneNumber)}</Fact>
        {person.email && <Fact label={words.detail.email}>{person.email}</Fact>}
      </Facts>
      {isOther && person.phoneNumber && (
        <ContactActions phone={person.phoneNumber} name={name} number={view.packageId} />
      )}
    </>
  );
}

export function SenderCard({ view }: CardProps) {
  const actor = useActor();
  const isEditable = actor.role !== 'Employee' && canEditUser(actor, view.sender.id).isAllowed;
  return (
    <Card
      title={words.detail.sender}
      aside={
        isEditable && (
          <EditLink to={`/edit-user/${view.sender.id}`} label={words.detail.editSender} />
        )
      }
    >
      <PersonFacts view={view} person={view.sender} />
    </Card>
  );
}

export function ShipmentCard({ view }: CardProps) {
  const actor = useActor();
  const isEditable = can(actor, 'editLate', factsOf(view)).isAllowed;
  return (
    <Card
      title={words.detail.shipment}
      aside={
        isEditable && <EditLink to={`/edit-package/${view.id}`} label={words.detail.editShipment} />
      }
    >
      <Facts>
        <Fact label={words.detail.number}>{view.packageId || words.noNumber}</Fact>
        <Fact label={words.fields.description}>{view.description}</Fact>
        {view.notes && <Fact label={words.fields.notes}>{view.notes}</Fact>}
        <Fact label={words.detail.price}>
          <span className={css.price}>{formatNaira(view.priceOfferKobo)}</span>,{' '}
          {words.methods[view.paymentMethod] ?? words.notSpecified}
        </Fact>
        <AddressFact
          label={words.fields.pickupAddress}
          address={view.pickupAddress}
          pin={view.pickupLocation}
        />
        <Fact label={words.fields.pickupDate}>
          <WhenBoth iso={view.pickupDate} />
        </Fact>
        <AddressFact
          label={words.fields.deliveryAddress}
          address={view.deliveryAddress}
          pin={view.deliveryLocation}
        />
        <Fact label={words.fields.deliveryDate}>
          <WhenBoth iso={view.deliveryDate} />
        </Fact>
        <Fact label={words.detail.created}>
          <When iso={view.createdAt} />
        </Fact>
      </Facts>
    </Card>
  );
}

export function RecipientCard({ view }: CardProps) {
  const contact = useContactText(view);
  return (
    <Card title={words.detail.recipient}>
      <Facts>
        <Fact label={words.detail.name}>{view.recipientName}</Fact>
        <Fact label={words.detail.phone}>{contact(view.recipientPhone)}</Fact>
        <Fact label={words.detail.email}>{contact(view.recipientEmail)}</Fact>
      </Facts>
      {view.recipientPhone && (
        <ContactActions
          phone={view.recipientPhone}
          name={view.recipientName}
          number={view.packageId}
        />
      )}
    </Card>
  );
}

export function CourierCard({ view }: CardProps) {
  const actor = useActor();
  const { courier } = view;
  const isEditable =
    courier !== null && actor.role !== 'Customer' && canEditUser(actor, courier.id).isAllowed;
  return (
    <Card
      title={words.detail.courier}
      aside={
        isEditable && <EditLink to={`/edit-user/${courier.id}`} label={words.detail.editCourier} />
      }
    >
      {courier ? <PersonFacts view={view} person={courier} /> : <p>{words.detail.noCourier}</p>}
    </Card>
  );
}
