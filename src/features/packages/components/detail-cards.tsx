import { Map as MapIcon, MessageCircle, MessageSquare, Phone } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Location } from '#contract/fields.ts';
import { useActor } from '#data/use-actor.ts';
import { callLink, mapLink, textLink, whatsAppLink } from '#domain/contact-links.ts';
import { formatDate, relativeTime } from '#domain/dates.ts';
import { shortLocation } from '#domain/location.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { can, canEditUser, factsOf } from '#domain/policy.ts';
import { displayName, type Party } from '#domain/user.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { buttonClass, iconButtonClass } from '#ui/button.tsx';
import { Card, Fact, Facts } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { showError, showInfo } from '#ui/toast.tsx';
import { useNow } from '#ui/use-now.ts';
import css from './detail.module.css';
import { WhenBoth } from './package-card.tsx';

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

/** Text for a missing contact: withheld until acceptance, or never given. */
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
        <Fact label={fields.labels.description}>{view.description}</Fact>
        {view.notes && <Fact label={fields.labels.notes}>{view.notes}</Fact>}
        <Fact label={words.detail.price}>
          <span className={css.price}>{formatNaira(view.priceOfferKobo)}</span>,{' '}
          {fields.methods[view.paymentMethod] ?? words.notSpecified}
        </Fact>
        <AddressFact
          label={fields.labels.pickupAddress}
          address={view.pickupAddress}
          pin={view.pickupLocation}
        />
        <Fact label={fields.labels.pickupDate}>
          <WhenBoth iso={view.pickupDate} />
        </Fact>
        <AddressFact
          label={fields.labels.deliveryAddress}
          address={view.deliveryAddress}
          pin={view.deliveryLocation}
        />
        <Fact label={fields.labels.deliveryDate}>
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

/** 'in 3 hours', with the exact time on demand; 'Not specified' without a time. */
function When({ iso }: { iso: string | null }) {
  const nowMs = useNow();
  const exact = formatDate(iso, words.notSpecified);
  if (iso === null) return exact;
  return <RelativeTime iso={iso} exact={exact} relative={relativeTime(iso, nowMs)} />;
}

const isAndroid = () => /Android/i.test(navigator.userAgent);

interface AddressFactProps {
  label: string;
  address: string;
  pin: Location | null;
}

function AddressFact({ label, address, pin }: AddressFactProps) {
  const showCopied = (isCopied: boolean) => {
    if (isCopied) showInfo(words.detail.copied);
    else showError(words.detail.notCopied);
  };
  return (
    <Fact label={label}>
      <span className={css.address}>
        <span>
          {address}
          {pin && <small className={css.pin}>{words.pin.at(shortLocation(pin))}</small>}
        </span>
        <span className={css.tools}>
          <CopyButton label={words.detail.copy(label)} text={address} onDone={showCopied} />
          <a
            className={iconButtonClass()}
            href={mapLink(address, pin, isAndroid())}
            target={isAndroid() ? undefined : '_blank'}
            rel="noreferrer"
            aria-label={words.detail.openMap(label)}
          >
            <MapIcon aria-hidden size={20} />
          </a>
        </span>
      </span>
    </Fact>
  );
}

interface ContactActionsProps {
  phone: string;
  name: string;
  number: string;
}

interface ActionProps {
  href: string | null;
  icon: ReactNode;
  text: string;
  label: string;
  isElsewhere?: boolean;
}

function Action({ href, icon, text, label, isElsewhere = false }: ActionProps) {
  if (href === null) return null;
  const elsewhere = isElsewhere ? { target: '_blank', rel: 'noreferrer' } : {};
  return (
    <li>
      <a className={css.action} href={href} aria-label={label} {...elsewhere}>
        {icon}
        {text}
      </a>
    </li>
  );
}

function ContactActions({ phone, name, number }: ContactActionsProps) {
  const call = callLink(phone);
  if (call === null) return null;
  const { contact } = words.detail;
  return (
    <ul className={css.actions}>
      <Action
        href={call}
        icon={<Phone aria-hidden size={22} />}
        text={contact.call}
        label={contact.callTo(name)}
      />
      <Action
        href={textLink(phone)}
        icon={<MessageSquare aria-hidden size={22} />}
        text={contact.text}
        label={contact.textTo(name)}
      />
      <Action
        href={whatsAppLink(phone, contact.greeting(number))}
        icon={<MessageCircle aria-hidden size={22} />}
        text={contact.whatsApp}
        label={contact.whatsAppTo(name)}
        isElsewhere
      />
    </ul>
  );
}
