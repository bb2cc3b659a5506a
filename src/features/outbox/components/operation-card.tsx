import { CircleAlert, Clock, CloudUpload } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useSignedIn } from '#data/services.ts';
import { cancelWithToast } from '#data/submit-intent.ts';
import { useSyncStatus } from '#data/use-connection.ts';
import { useIsSending } from '#data/use-outbox.ts';
import { useStorageFault } from '#data/use-storage.ts';
import { haveTermsChanged, isConflict } from '#domain/conflict.ts';
import { formatDate, relativeTime } from '#domain/dates.ts';
import { isCancellable, laneOf, type Operation } from '#domain/operation.ts';
import { type Package, packageToWire } from '#domain/package.ts';
import type { User } from '#domain/user.ts';
import { fieldLabel, fieldValue } from '#features/outbox/field-messages.ts';
import { orderOf, whyNotCancellable } from '#features/outbox/order.ts';
import { baseOf, reasonOf } from '#features/outbox/reasons.ts';
import css from '#features/outbox/screens/outbox-screen.module.css';
import { subjectOf } from '#features/outbox/subject.ts';
import { nameOf, whatChanged } from '#features/outbox/what-changed.ts';
import { operations as operationMessages } from '#messages/en/operations.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { refusals } from '#messages/en/refusals.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card, Fact, Facts } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import * as toasts from '#ui/toast.tsx';
import { AttentionButtons } from './attention-buttons.tsx';
import { ConflictChoice } from './conflict-choice.tsx';

export interface OperationCardProps {
  operation: Operation;
  /** This operation's lane, including itself; for a profile edit, all operations. */
  operations: readonly Operation[];
  /** The server's latest row; null: not in the mirror. */
  current: Package | User | null;
  /** Sent first, from another lane: the server would refuse this one without it. */
  profileEdit: Operation | null;
  isViewable: boolean;
  isSought: boolean;
  nowMs: number;
}

/** '3 minutes ago'; the date if older than a month or, after a clock change, in the future. */
export function madeAt({ createdAt }: Pick<Operation, 'createdAt'>, nowMs: number): string {
  const isPast = Date.parse(createdAt) - nowMs < 30_000;
  return (isPast && relativeTime(createdAt, nowMs)) || formatDate(createdAt, '');
}

/** Scrolls to the linked item and focuses it, once. */
function useSought(isSought: boolean) {
  const item = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (!isSought) return;
    item.current?.scrollIntoView({ block: 'start' });
    // After the screen's own effect, which focuses its heading.
    queueMicrotask(() => item.current?.focus({ preventScroll: true }));
  }, [isSought]);
  return item;
}

/** Stable across the retries of an intent, and while the phone's clock is being corrected. */
export function intentKey(operation: Operation): string {
  return `${operation.phoneTime} ${operation.name} ${laneOf(operation)}`;
}

export function OperationItem(props: OperationCardProps & { className: string | undefined }) {
  const item = useSought(props.isSought);
  return (
    <li ref={item} tabIndex={-1} className={props.className} data-key={intentKey(props.operation)}>
      <OperationCard {...props} />
    </li>
  );
}

function StateBadge({ operation }: { operation: Operation }) {
  const isSending = useIsSending(operation.id);
  const [tone, icon, text]: ['bad' | 'warn', ReactNode, string] =
    operation.state === 'attention'
      ? ['bad', <CircleAlert key="icon" aria-hidden size={16} />, words.attention]
      : isSending
        ? ['warn', <CloudUpload key="icon" aria-hidden size={16} />, words.sending]
        : ['warn', <Clock key="icon" aria-hidden size={16} />, words.waiting];
  return (
    <Badge tone={tone} icon={icon}>
      {text}
    </Badge>
  );
}

/** The server's message per field; for changed terms, the current values. */
function fieldFacts(operation: Operation, pkg: Package | null): [field: string, text: string][] {
  const fields = Object.entries(operation.lastError?.fields ?? {});
  if (!haveTermsChanged(operation) || pkg === null) return fields;
  const now = new Map<string, unknown>(Object.entries(packageToWire(pkg)));
  return fields.map(([field]) => [field, words.isNow(fieldValue(field, now.get(field)))]);
}

function OperationCard(props: OperationCardProps) {
  const { operation, operations, current, profileEdit, isViewable, nowMs } = props;
  const { userInfo } = useSignedIn();
  const pkg = current && 'packageId' in current ? current : null;
  const subject = operation.name === 'editProfile' ? null : subjectOf(operation, pkg, operations);
  const base = baseOf(operation, operations);
  const isReached = useSyncStatus().lastFailure === null;
  const isStorageFull = useStorageFault() === 'full' && isReached;
  const reason = reasonOf(operation, base, {
    ...(base && { baseName: nameOf(base, operations, current) }),
    isStorageFull,
    isTakenAway: pkg !== null && pkg.courier?.id !== userInfo.id,
  });
  const order = orderOf(operation, operations, current, profileEdit);
  const isBack = isCancellable(operation, operations);
  const kept = isBack ? null : whyNotCancellable(operation, operations);
  const changes = whatChanged(operation, operations, current);
  const tries = operation.tries + (operation.triesBefore ?? 0);
  const fields = fieldFacts(operation, pkg);
  const isRefused = operation.state === 'attention';
  const choosable = isConflict(operation) && current ? { edit: operation, current } : null;
  const view = isViewable && (
    <Link className={buttonClass('plain')} to={`/package-detail/${operation.targetId}`}>
      {words.view}
    </Link>
  );
  return (
    <Card
      level={3}
      title={operationMessages.names[operation.name]}
      aside={<StateBadge operation={operation} />}
    >
      <p className={`${layout.soft} ${css.made}`}>
        <time dateTime={operation.createdAt}>{madeAt(operation, nowMs)}</time>
        {order && ` · ${order}`}
        {tries > 0 && ` · ${words.triedTimes(tries)}`}
      </p>
      <Facts>
        {subject && <Fact label={words.package}>{subject}</Fact>}
        {changes.length > 0 && !choosable && (
          <Fact label={words.changes}>{changes.join('\n')}</Fact>
        )}
        {reason && isRefused && <Fact label={words.reason}>{reason.what}</Fact>}
        {!choosable &&
          fields.map(([field, text]) => (
            <Fact key={field} label={fieldLabel(field)}>
              {text}
            </Fact>
          ))}
        {reason && isRefused && <Fact label={words.advice}>{reason.advice}</Fact>}
        {reason && !isRefused && (
          <Fact label={words.lastTry}>
            {/* The text above the list already says that it will be sent automatically. */}
            {reason.advice === refusals.byItself ? reason.what : `${reason.what} ${reason.advice}`}
          </Fact>
        )}
      </Facts>
      {choosable && <ConflictChoice {...choosable} />}
      {isRefused && (
        <AttentionButtons
          operation={operation}
          subject={subject}
          isEditable={operation.name === 'createPackage' || current !== null}
          isLeaning={base !== null}
        >
          {view}
        </AttentionButtons>
      )}
      {kept && <p className={layout.soft}>{kept}</p>}
      {isBack && <CancelButton operation={operation} />}
      {!isRefused && <div className={`${layout.row} ${css.lesser}`}>{view}</div>}
    </Card>
  );
}

function CancelButton({ operation }: { operation: Operation }) {
  const { engine } = useSignedIn();
  return (
    <Button tone="quiet" onClick={() => void cancelWithToast(engine, operation.id, toasts)}>
      {words.cancel}
    </Button>
  );
}
