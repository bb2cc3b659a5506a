/** A package's past events with their actors, and the steps ahead. */
import {
  Banknote,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CirclePlus,
  CircleX,
  Clock,
  type LucideIcon,
  MapPin,
  MessageCircle,
  Package,
  Pencil,
  Truck,
  Undo2,
  UserX,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { EventType } from '#contract/event.ts';
import { useSignedIn } from '#data/services.ts';
import { sendingSubject, undoWithToast } from '#data/submit-intent.ts';
import { useActor } from '#data/use-actor.ts';
import { useHistory } from '#data/use-history.ts';
import { useNow } from '#data/use-now.ts';
import { useOperations } from '#data/use-outbox.ts';
import { timeText } from '#domain/dates.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isReturnClaimed } from '#domain/package-state.ts';
import { nextStop } from '#domain/stops.ts';
import { deliverySteps } from '#messages/en/delivery-steps.ts';
import { disputes } from '#messages/en/disputes.ts';
import { packageDetail } from '#messages/en/package-detail.ts';
import { packages } from '#messages/en/packages.ts';
import { proof as proofWords } from '#messages/en/proof.ts';
import { sending } from '#messages/en/sending.ts';
import { ProofPictures } from '#package-ui/proof-pictures.tsx';
import { noteKindOf } from '#package-ui/recipient-note-rules.ts';
import { When } from '#package-ui/stops.tsx';
import { type TimelineEntry, timelineOf, undoableOf } from '#package-ui/timeline-rules.ts';
import { subjectOf } from '#package-ui/use-package-actions.ts';
import { Button } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import * as toasts from '#ui/toast.tsx';
import { Words } from '#ui/words.tsx';
import css from './timeline.module.css';

const words = packageDetail.timeline;

const icons: Record<EventType, LucideIcon> = {
  created: CirclePlus,
  edited: Pencil,
  offer_changed: Pencil,
  accepted: Truck,
  assigned: Truck,
  unassigned: UserX,
  picked_up: Package,
  arrived: MapPin,
  attempt_failed: CircleAlert,
  return_started: Undo2,
  returned: Undo2,
  delivered: CircleCheck,
  cancelled: CircleX,
  reopened: CirclePlus,
  paid: Banknote,
  refunded: Banknote,
  handover: Truck,
  confirmed: CircleCheck,
  corrected: Undo2,
  disputed: CircleAlert,
  resolved: CircleCheck,
  recipient_note: MessageCircle,
};

/** Past entries shown at first; the rest on request. */
const fewEntries = 3;

export function Timeline({ view }: { view: PackageView }) {
  const { id: readerId } = useActor();
  const history = useHistory(view.id, view.version);
  const operations = (useOperations() ?? []).filter(({ targetId }) => targetId === view.id);
  const [isWhole, setIsWhole] = useState(false);
  const entries = timelineOf({ view, history, operations, readerId });
  const undoable = undoableOf(entries, useNow());
  const past = entries.filter(({ state }) => state !== 'ahead');
  const next = entries.find(({ state }) => state === 'ahead');
  const hidden = past.length - fewEntries;
  // One more line is not worth a button.
  const isLong = hidden > 1;
  const shown = isLong && !isWhole ? entries.slice(hidden) : entries;
  const hasOlder = history?.hasOlder === true;
  const showMore = hasOlder ? words.showLast : words.showAll;
  return (
    <div className={css.timeline} data-timeline>
      {isLong && (
        <Button tone="plain" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? words.showLess : showMore(past.length)}
        </Button>
      )}
      {isWhole && hasOlder && <OlderButton id={view.id} />}
      <ol aria-label={words.label}>
        {shown.map((entry) => (
          <Entry key={entry.id} entry={entry} isNext={entry === next} view={view}>
            {entry.id === undoable?.id && <UndoButton id={entry.id} view={view} />}
          </Entry>
        ))}
      </ol>
      {shown.some(({ isUnsure }) => isUnsure) && <p className={layout.soft}>{words.unsureNote}</p>}
    </div>
  );
}

function OlderButton({ id }: { id: string }) {
  const { engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const read = async () => {
    setIsBusy(true);
    const isRead = await engine.readOlderEvents(id).catch(() => false);
    if (!isRead) toasts.showError(words.noOlder);
    setIsBusy(false);
  };
  return (
    <Button tone="plain" isBusy={isBusy} onClick={() => void read()}>
      {words.showOlder}
    </Button>
  );
}

function UndoButton({ id, view }: { id: string; view: PackageView }) {
  const { db, engine } = useSignedIn();
  const [isBusy, setIsBusy] = useState(false);
  const undo = async () => {
    setIsBusy(true);
    const step = { id, packageId: view.id, subject: subjectOf(view) };
    // The step's toast may still offer the same.
    toasts.dismissToast(sendingSubject);
    await undoWithToast({ db, engine }, step, toasts);
    setIsBusy(false);
  };
  return (
    <Button tone="plain" isBusy={isBusy} onClick={() => void undo()}>
      {sending.undo}
    </Button>
  );
}

interface EntryProps {
  entry: TimelineEntry;
  isNext: boolean;
  view: PackageView;
  children: ReactNode;
}

function Entry({ entry, isNext, view, children }: EntryProps) {
  const { name, state, at, reason, note, proof, isWaiting } = entry;
  const givenTo = proof && proofWords.takenBy(proof.recipientName, proof.relation);
  const iconAhead = isNext ? CircleDot : CircleDashed;
  const Icon = state === 'ahead' ? iconAhead : (icons[name] ?? CircleCheck);
  return (
    <li data-state={state} data-next={isNext} data-event={name}>
      <Icon aria-hidden size={20} />
      <div className={css.said}>
        <p className={layout.facts}>
          <span className={css.name}>{nameOf(entry)}</span>{' '}
          {state === 'ahead' ? (
            <When
              iso={at}
              isDue={nextStop(view) === (name === 'picked_up' ? 'pickup' : 'delivery')}
            />
          ) : (
            <Facts entry={entry} />
          )}
        </p>
        {reason && <p>{deliverySteps.reasons[reason]}</p>}
        {entry.decision && <p>{disputes.decided[entry.decision]}</p>}
        {entry.isWithoutMoney && <p>{disputes.noMoneyMoved}</p>}
        {name === 'returned' && state === 'done' && isReturnClaimed(view) && (
          <p>{disputes.returnClaimed}</p>
        )}
        {entry.noteKind && <p>{noteKindOf(entry.noteKind)}</p>}
        {/* The card of an open problem has its text. */}
        {note && entry.id !== view.dispute?._id && (
          <p className={css.note}>
            <Words text={note} />
          </p>
        )}
        {givenTo && <p dir="auto">{givenTo}</p>}
        {proof && <ProofPictures packageId={view.id} {...proof} />}
        {entry.text && <TextMessage {...entry.text} />}
        {isWaiting && (
          <p className={`${layout.row} ${layout.note} ${css.waiting}`}>
            <Clock aria-hidden size={16} />
            {packages.waiting}
          </p>
        )}
      </div>
      {children}
    </li>
  );
}

/** Delivery status of the recipient's message: 'Text message delivered to the phone 14:02'. */
function TextMessage({ status, at }: NonNullable<TimelineEntry['text']>) {
  return <p data-text={status}>{words.text[status](timeText(at, useNow()))}</p>;
}

function nameOf({ name, state }: TimelineEntry): string {
  const ahead: Partial<Record<EventType, string>> = words.ahead;
  return (state === 'ahead' && ahead[name]) || words.done[name];
}

/** '14:05 · Sani'. */
function Facts({ entry: { at, isUnsure, by, state } }: { entry: TimelineEntry }) {
  const nowMs = useNow();
  const time = at && timeText(at, nowMs);
  return (
    <>
      <span>
        {at && time && <time dateTime={at}>{isUnsure ? words.unsure(time) : time}</time>}
        {at && time && by !== null && ' · '}
        {by !== null && <bdi>{by || words.you}</bdi>}
      </span>
      {state === 'takenBack' && <strong> {words.takenBack}</strong>}
    </>
  );
}
