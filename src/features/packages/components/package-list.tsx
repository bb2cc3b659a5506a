import { useAtomValue } from 'jotai';
import { CloudOff, DatabaseZap, PackageSearch, SearchX } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { Location } from '#contract/fields.ts';
import { useActorOf } from '#data/use-actor.ts';
import { useLastPulledAt, useRefresh, useSyncStatus } from '#data/use-connection.ts';
import { useIsStorageSilent } from '#data/use-packages.ts';
import { useOwnUser } from '#data/use-users.ts';
import type { PackageView } from '#domain/overlay.ts';
import { nextStop } from '#domain/stops.ts';
import { type ListChoice, useListChoice } from '#features/packages/hooks/use-list-choice.ts';
import { usePlace } from '#features/packages/hooks/use-place.ts';
import {
  type Choice,
  chosen,
  countChosen,
  metersToPickup,
  type TabContents,
  type TabName,
} from '#features/packages/list-rules.ts';
import { packages as words } from '#messages/en/packages.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import { Button } from '#ui/button.tsx';
import { CardSkeletons, Notice, RetryNotice } from '#ui/card.tsx';
import { VirtualList } from '#ui/virtual-list.tsx';
import { ListTools } from './list-tools.tsx';
import { NextStop } from './next-stop.tsx';
import css from './package-card.module.css';
import { distancesOf, PackageCard, type PackageCardProps } from './package-card.tsx';

/** Height of a card with a line of description and both times. */
const cardPx = 212;
/** Lists up to this length get no search and filters. */
const maxWithoutTools = 3;

const idOf = ({ id }: PackageView) => id;
const icon = (Icon: typeof SearchX) => <Icon aria-hidden size={40} />;

interface PackageListProps {
  tab: TabName;
  /** The user's own packages, grouped by status; else deliveries, the next stop on top. */
  isOwn?: boolean;
  /** Undefined while loading from the local database. */
  contents: TabContents | undefined;
  /** Of an empty list: what comes here, and the way to it. */
  hint?: string | undefined;
  wayOn?: ReactNode;
}

export function PackageList({ tab, isOwn = false, contents, hint, wayOn }: PackageListProps) {
  const choice = useListChoice(tab, isOwn);
  const isSilent = useIsStorageSilent();
  if (contents === undefined && isSilent) {
    return <Notice icon={icon(DatabaseZap)} title={words.storageSilent} />;
  }
  if (contents === undefined) return <CardSkeletons label={words.loading} />;
  if (contents.views.length === 0) {
    return (
      <EmptyList emptyText={contents.emptyText} hint={hint}>
        {wayOn}
      </EmptyList>
    );
  }
  return <FullList tab={tab} isOwn={isOwn} views={contents.views} choice={choice} />;
}

interface EmptyListProps {
  emptyText: string;
  hint: string | undefined;
  children: ReactNode;
}

/** Tells apart: no packages, not loaded yet, failed to load. */
function EmptyList({ emptyText, hint, children }: EmptyListProps) {
  const lastPulledAt = useLastPulledAt();
  const { lastFailure } = useSyncStatus();
  const { isBusy, refresh } = useRefresh(() => undefined);
  if (lastPulledAt) {
    return (
      <Notice icon={icon(PackageSearch)} title={emptyText} text={hint}>
        {children}
      </Notice>
    );
  }
  if (lastPulledAt === undefined || lastFailure === null) {
    return <CardSkeletons label={words.loading} />;
  }
  return (
    <RetryNotice
      icon={icon(CloudOff)}
      title={words.loadFailed}
      text={words.checkConnection}
      label={words.retry}
      isBusy={isBusy}
      onRetry={refresh}
    />
  );
}

/** Sorts on data changes, not as time passes: cards must not move while the user taps. */
function useShown(views: readonly PackageView[], choice: Choice, place: Location | null) {
  return useMemo(() => chosen(views, choice, { nowMs: Date.now(), place }), [views, choice, place]);
}

/**
 * The first package of each group, by its id. A courier's begin with what is final: before it are the
 * next stops and what needs attention.
 */
function groupStarts(views: readonly PackageView[], isOwn: boolean): Map<string, string> {
  const groupOf = ({ status, mark }: PackageView) =>
    status === 'pending' || (!isOwn && (status === 'in-transit' || mark === 'attention'))
      ? null
      : status;
  const starts = new Map<string, string>();
  let last: ReturnType<typeof groupOf> = null;
  for (const view of views) {
    const group = groupOf(view);
    if (group && group !== last) starts.set(view.id, words.groups[group]);
    last = group;
  }
  return starts;
}

interface FullListProps {
  tab: TabName;
  isOwn: boolean;
  views: readonly PackageView[];
  choice: ListChoice;
}

function FullList({ tab, isOwn, views, choice }: FullListProps) {
  const selected = useAtomValue(selectedPackageAtom);
  const self = useOwnUser() ?? undefined;
  const actor = useActorOf(self);
  const { settled } = choice;
  const place = usePlace(choice.reader.isCourier);
  const shown = useShown(views, settled, place);
  const isActive = choice.query !== '' || shown.length < views.length;
  const isInOrder = tab === 'in-transit' && settled.sort === '';
  const headingOf = useMemo(() => {
    if (!isInOrder) return undefined;
    const starts = groupStarts(shown, isOwn);
    return ({ id }: PackageView) =>
      starts.has(id) && <h2 className={css.group}>{starts.get(id)}</h2>;
  }, [shown, isOwn, isInOrder]);
  // Whatever the order of the others.
  const next =
    tab === 'in-transit' &&
    !isOwn &&
    !isActive &&
    views.find(({ status }) => status === 'in-transit');
  const stop = next ? nextStop(next) : null;
  const rest = next ? shown.filter((view) => view !== next) : shown;
  const card = (view: PackageView, more?: Pick<PackageCardProps, 'level' | 'led'>) => (
    <PackageCard
      view={view}
      actor={actor}
      self={self}
      meters={metersToPickup(view, place)}
      {...more}
    />
  );
  return (
    <>
      {next && stop && (
        <NextStop
          view={next}
          stop={stop}
          distances={
            choice.reader.isCourier && stop === 'pickup'
              ? distancesOf(next, metersToPickup(next, place))
              : ''
          }
        >
          {card(next, { level: 3, led: stop })}
        </NextStop>
      )}
      {(views.length > maxWithoutTools || isActive) && (
        <ListTools tab={tab} choice={choice} views={views} shownCount={shown.length} />
      )}
      {shown.length === 0 ? (
        <Notice
          icon={icon(SearchX)}
          title={settled.query ? words.list.noMatch(settled.query) : words.list.noFiltered}
          text={countChosen(settled) > 0 ? words.list.fewerFilters : words.list.otherWords}
        >
          <Button tone="quiet" onClick={choice.clear}>
            {words.list.clear}
          </Button>
        </Notice>
      ) : (
        <VirtualList
          items={rest}
          keyOf={idOf}
          label={words.list.label}
          estimatePx={cardPx}
          soughtKey={selected || undefined}
          headingOf={headingOf}
          render={(view) => card(view, { level: isInOrder && (isOwn || next) ? 3 : 2 })}
        />
      )}
    </>
  );
}
