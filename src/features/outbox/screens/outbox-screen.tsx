import { CloudCheck } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useId, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useSignedIn } from '#data/services.ts';
import { useRefresh } from '#data/use-connection.ts';
import { useNow } from '#data/use-now.ts';
import { useOperations, useQuarantine } from '#data/use-outbox.ts';
import { useMirroredPackages, usePackageViews } from '#data/use-packages.ts';
import { usePersistence, useStorageFault } from '#data/use-storage.ts';
import { useMirroredUser } from '#data/use-users.ts';
import { laneOf, type Operation } from '#domain/operation.ts';
import { groupByLane } from '#domain/package-views.ts';
import { intentKey, OperationItem } from '#features/outbox/components/operation-card.tsx';
import { QuarantineList } from '#features/outbox/components/quarantine-card.tsx';
import { useKeptFocus } from '#features/outbox/hooks/use-kept-focus.ts';
import { neededProfileEdit } from '#features/outbox/order.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError, showInfo } from '#ui/toast.tsx';
import css from './outbox-screen.module.css';

type State = Operation['state'];

/** Waiting ones in sending order; those needing attention by creation, so their order is stable. */
function ofState(operations: readonly Operation[], state: State): Operation[] {
  const made = (a: Operation, b: Operation) =>
    state === 'attention' ? a.createdAt.localeCompare(b.createdAt) : 0;
  return operations
    .filter((operation) => operation.state === state)
    .sort((a, b) => made(a, b) || a.seq - b.seq);
}

function useHasSent(): boolean {
  const { engine } = useSignedIn();
  const [hasSent, setHasSent] = useState(false);
  useEffect(
    () =>
      engine.subscribe(({ kind }) => {
        if (kind === 'acknowledged') setHasSent(true);
      }),
    [engine],
  );
  return hasSent;
}

interface SectionProps {
  state: State;
  count: number;
  aside?: ReactNode;
  children: ReactNode;
}

function Section({ state, count, aside, children }: SectionProps) {
  const id = useId();
  const { title, text } = words.sections[state];
  return (
    <div className={layout.stack}>
      <div>
        <h2 id={id}>
          {title} <span className={`${layout.soft} ${css.count}`}>{count}</span>
        </h2>
        <p className={layout.soft}>{text}</p>
      </div>
      {aside}
      <ul className={layout.stack} aria-labelledby={id}>
        {children}
      </ul>
    </div>
  );
}

/** Sends all waiting operations now; reports if that did not help. */
function useSendNow(): { isBusy: boolean; sendNow(): void } {
  const { packages } = useSignedIn();
  const asked = useRef<ReadonlySet<string>>(new Set());
  const waiting = useCallback(
    () =>
      (packages.state().operations ?? [])
        .filter(({ state }) => state === 'waiting')
        .map(({ id }) => id),
    [packages],
  );
  const { isBusy, refresh } = useRefresh((isAnswered) => {
    if (!isAnswered) return showError(words.noAnswer);
    void packages.settled().then(() => {
      if (waiting().some((id) => asked.current.has(id))) showInfo(words.stillWaiting);
    });
  });
  return {
    isBusy,
    sendNow: () => {
      asked.current = new Set(waiting());
      refresh();
    },
  };
}

function SendNowButton() {
  const { isBusy, sendNow } = useSendNow();
  return (
    <Button tone="quiet" isBusy={isBusy} onClick={sendNow}>
      {isBusy ? words.sendingNow : words.sendNow}
    </Button>
  );
}

function StorageNote() {
  const fault = useStorageFault();
  const persistence = usePersistence();
  if (fault === 'none') return <p className={layout.note}>{words.storage.none}</p>;
  if (persistence === undefined) return null;
  return <p className={layout.note}>{words.storage[persistence]}</p>;
}

/** `?about=`: the package or user whose refused operation is scrolled into view. */
export function OutboxScreen() {
  const operations = useOperations();
  const { userInfo } = useSignedIn();
  const mirrored = useMirroredPackages(operations?.map(({ targetId }) => targetId) ?? []);
  const self = useMirroredUser(userInfo.id);
  const views = usePackageViews();
  const quarantine = useQuarantine();
  const nowMs = useNow();
  const [query] = useSearchParams();
  const hasSent = useHasSent();
  const focus = useKeptFocus();
  const isLoading = operations === undefined || mirrored === undefined || views === undefined;
  const shown = isLoading ? [] : operations;
  const isEmpty = !isLoading && shown.length === 0 && quarantine?.length === 0;
  const attention = ofState(shown, 'attention');
  const waiting = ofState(shown, 'waiting');
  const sought = attention.find(({ targetId }) => targetId === query.get('about'));
  const viewable = new Set(views?.map(({ id }) => id));
  const lanes = groupByLane(shown);
  const profileEdit = neededProfileEdit(shown, self);
  const item = (operation: Operation) => {
    const isProfile = operation.name === 'editProfile';
    return (
      <OperationItem
        key={intentKey(operation)}
        className={layout.landing}
        operation={operation}
        operations={isProfile ? shown : (lanes.get(laneOf(operation)) ?? [])}
        current={(isProfile ? self : mirrored?.get(operation.targetId)) ?? null}
        profileEdit={profileEdit}
        isViewable={viewable.has(operation.targetId)}
        isSought={operation === sought}
        nowMs={nowMs}
      />
    );
  };
  return (
    <Screen title={words.title} lead={<BackButton label={words.back} to="/account" />}>
      {/* No toast covers what is shown here (operation-toasts). */}
      <p className="visually-hidden" role="status">
        {attention.length > 0 && `${words.sections.attention.title}: ${attention.length}`}
      </p>
      <div className={`${layout.stack} ${css.box}`} tabIndex={-1} {...focus}>
        {isLoading && <Skeletons label={words.loading} />}
        {isEmpty && (
          <Notice
            icon={<CloudCheck aria-hidden size={40} />}
            title={hasSent ? words.allSent : words.empty}
            text={words.emptyText}
          />
        )}
        {attention.length > 0 && (
          <Section state="attention" count={attention.length}>
            {attention.map(item)}
          </Section>
        )}
        {waiting.length > 0 && (
          <Section state="waiting" count={waiting.length} aside={<SendNowButton />}>
            {waiting.map(item)}
          </Section>
        )}
        <QuarantineList />
        {waiting.length > 0 && <StorageNote />}
      </div>
    </Screen>
  );
}
