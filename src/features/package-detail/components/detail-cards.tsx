import { Map as MapIcon } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Role } from '#contract/user.ts';
import { useActor } from '#data/use-actor.ts';
import { useNow } from '#data/use-now.ts';
import { navigationLink } from '#domain/contact-links.ts';
import { formatDate, relativeTime } from '#domain/dates.ts';
import type { PackageView } from '#domain/overlay.ts';
import { can, factsOf } from '#domain/policy.ts';
import { nextStop, type StopName } from '#domain/stops.ts';
import { displayName, type Party } from '#domain/user.ts';
import { canEditUser } from '#domain/user-policy.ts';
import { fields } from '#messages/en/fields.ts';
import { packages as words } from '#messages/en/packages.ts';
import { described } from '#package-ui/description.ts';
import {
  canCallCourier,
  leadsWithRoute,
  leadsWithStop,
  primaryOf,
} from '#package-ui/detail-rules.ts';
import { Stops } from '#package-ui/stops.tsx';
import { buttonClass, iconButtonClass } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { CopyButton } from '#ui/copy-button.tsx';
import layout from '#ui/stack.module.css';
import { showError, showInfo } from '#ui/toast.tsx';
import { Words } from '#ui/words.tsx';
import { Contacts } from './contacts.tsx';
import { CourierPlace } from './courier-place.tsx';
import css from './detail-cards.module.css';

interface CardProps {
  view: PackageView;
}

function EditLink({ to, label }: { to: string; label: string }) {
  return (
    <Link className={`${buttonClass('plain')} ${css.edit}`} to={to} aria-label={label}>
      {words.detail.edit}
    </Link>
  );
}

interface PersonCardProps extends CardProps {
  title: string;
  person: Party | null;
  editLabel: string;
  /** A role that never edits this person here. */
  readerOnly: Role;
}

export function PersonCard({ view, title, person, editLabel, readerOnly }: PersonCardProps) {
  const actor = useActor();
  if (!person) {
    return (
      <Card title={title} aside={<span className={layout.soft}>{words.detail.noCourier}</span>} />
    );
  }
  const isCarrying = view.status === 'in-transit' && person.id === view.courier?.id;
  const isEditable = actor.role !== readerOnly && canEditUser(actor, person.id).isAllowed;
  return (
    <Card
      title={title}
      aside={isEditable && <EditLink to={`/edit-user/${person.id}`} label={editLabel} />}
    >
      <Contacts
        view={view}
        name={displayName(person)}
        phone={person.phoneNumber}
        email={person.email}
        isSelf={person.id === actor.id}
        isCalledInBar={isCarrying && canCallCourier(actor, view)}
      >
        {isCarrying && actor.role === 'Admin' && <CourierPlace courier={person} />}
      </Contacts>
    </Card>
  );
}

export function RecipientCard({ view }: CardProps) {
  return (
    <Card title={words.detail.recipient}>
      <Contacts
        view={view}
        name={view.recipientName}
        phone={view.recipientPhone}
        email={view.recipientEmail}
      />
    </Card>
  );
}

/** The stops that the head does not show, the description and the notes. */
export function ShipmentCard({ view }: CardProps) {
  const actor = useActor();
  const isEditable =
    can(actor, 'editLate', factsOf(view)).isAllowed && primaryOf(actor, view) !== 'edit';
  // The page's head says it.
  const led = leadsWithStop(actor, view) ? nextStop(view) : null;
  return (
    <Card
      title={words.detail.shipment}
      aside={
        isEditable && <EditLink to={`/edit-package/${view.id}`} label={words.detail.editShipment} />
      }
    >
      {!leadsWithRoute(actor) && (
        <Stops view={view} except={led}>
          {(stop) => <StopTools view={view} stop={stop} />}
        </Stops>
      )}
      {described(view).map(({ name, text }) => (
        <p key={name} className={name === 'description' ? css.what : undefined}>
          {/* The description needs no label, and a flag is one. */}
          {name !== 'description' && text !== fields.labels[name] && (
            <span className="visually-hidden">{fields.labels[name]}: </span>
          )}
          <Words text={text} />
        </p>
      ))}
      {/* A timeline says it already. */}
      {led && (
        <p className={layout.note}>
          {words.detail.created} <Since iso={view.createdAt} />
        </p>
      )}
    </Card>
  );
}

/** '3 hours ago', the exact time on press or hover. */
function Since({ iso }: { iso: string }) {
  // Another phone's clock may be ahead: nothing was created in the future.
  const relative = relativeTime(iso, Math.max(useNow(), Date.parse(iso)));
  const exact = formatDate(iso, words.notSpecified);
  const [isExact, setIsExact] = useState(false);
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

interface StopToolsProps extends CardProps {
  stop: StopName;
}

/** Copies an address or opens it in a map. */
export function StopTools({ view, stop }: StopToolsProps) {
  const label = fields.labels[`${stop}Address`];
  const address = view[`${stop}Address`];
  const pin = view[`${stop}Location`];
  const { href, ...where } = navigationLink(address, pin, navigator.userAgent);
  const showCopied = (isCopied: boolean) => {
    if (isCopied) showInfo(words.detail.copied);
    else showError(words.detail.notCopied);
  };
  return (
    <div className={css.tools}>
      <CopyButton label={words.detail.copy(label)} text={address} onDone={showCopied} />
      <a
        className={iconButtonClass()}
        href={href}
        aria-label={words.detail.openMap(label)}
        {...where}
      >
        <MapIcon aria-hidden size={20} />
      </a>
    </div>
  );
}
