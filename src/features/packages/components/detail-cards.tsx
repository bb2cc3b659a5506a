import { Map as MapIcon, MessageCircle, MessageSquare, Phone } from 'lucide-react';
import { Fragment, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Location } from '#contract/fields.ts';
import type { Role } from '#contract/user.ts';
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
import { showError, showInfo } from '#ui/toast.tsx';
import { useNow } from '#ui/use-now.ts';
import css from './detail.module.css';
import { WhenBoth } from './package-card.tsx';

const stops = ['pickup', 'delivery'] as const;

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

interface PersonCardProps extends CardProps {
  title: string;
  person: Party | null;
  editLabel: string;
  /** Who never edits this person here. */
  readerOnly: Role;
}

export function PersonCard({ view, title, person, editLabel, readerOnly }: PersonCardProps) {
  const contact = useContactText(view);
  const actor = useActor();
  if (!person) {
    return (
      <Card title={title}>
        <p>{words.detail.noCourier}</p>
      </Card>
    );
  }
  const name = displayName(person);
  const isEditable = actor.role !== readerOnly && canEditUser(actor, person.id).isAllowed;
  return (
    <Card
      title={title}
      aside={isEditable && <EditLink to={`/edit-user/${person.id}`} label={editLabel} />}
    >
      <Facts>
        <Fact label={words.detail.name}>{name}</Fact>
        <Fact label={words.detail.phone}>{contact(person.phoneNumber)}</Fact>
        {person.email && <Fact label={words.detail.email}>{person.email}</Fact>}
      </Facts>
      {person.id !== actor.id && person.phoneNumber && (
        <ContactActions phone={person.phoneNumber} name={name} number={view.packageId} />
      )}
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
        {stops.map((stop) => (
          <Fragment key={stop}>
            <AddressFact
              label={fields.labels[`${stop}Address`]}
              address={view[`${stop}Address`]}
              pin={view[`${stop}Location`]}
            />
            <Fact label={fields.labels[`${stop}Date`]}>
              <WhenBoth iso={view[`${stop}Date`]} />
            </Fact>
          </Fragment>
        ))}
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

/** 'in 3 hours', the exact time on press or hover; 'Not specified' without a time. */
function When({ iso }: { iso: string | null }) {
  const relative = relativeTime(iso, useNow());
  const exact = formatDate(iso, words.notSpecified);
  const [isExact, setIsExact] = useState(false);
  if (iso === null) return exact;
  if (relative === null) return <time dateTime={iso}>{exact}</time>;
  return (
    <button
      type="button"
      className={css.time}
      title={isExact ? relative : exact}
      onClick={() => setIsExact(!isExact)}
    >
      <time dateTime={iso}>{isExact ? exact : relative}</time>
    </button>
  );
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

function ContactActions({ phone, name, number }: ContactActionsProps) {
  const { contact } = words.detail;
  if (callLink(phone) === null) return null;
  const actions = [
    { href: callLink(phone), Icon: Phone, text: contact.call, label: contact.callTo(name) },
    { href: textLink(phone), Icon: MessageSquare, text: contact.text, label: contact.textTo(name) },
    {
      href: whatsAppLink(phone, contact.greeting(number)),
      Icon: MessageCircle,
      text: contact.whatsApp,
      label: contact.whatsAppTo(name),
      target: '_blank',
      rel: 'noreferrer',
    },
  ];
  return (
    <ul className={css.actions}>
      {actions.map(
        ({ href, Icon, text, label, ...elsewhere }) =>
          href !== null && (
            <li key={text}>
              <a className={css.action} href={href} aria-label={label} {...elsewhere}>
                <Icon aria-hidden size={22} />
                {text}
              </a>
            </li>
          ),
      )}
    </ul>
  );
}
