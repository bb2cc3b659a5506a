import { useAtomValue } from 'jotai';
import { CloudOff, DatabaseZap, PackageSearch, SearchX } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import type { Location } from '#contract/fields.ts';
import { useActorOf } from '#data/use-actor.ts';
import { useLastPulledAt, useRefresh, useSyncStatus } from '#data/use-connection.ts';
import { serverNow } from '#data/use-now.ts';
import { useIsStorageSilent } from '#data/use-packages.ts';
import { useOwnUser } from '#data/use-users.ts';
import type { PackageView } from '#domain/overlay.ts';
import { nextStop } from '#domain/stops.ts';
import { type ListChoice, useListChoice } from '#features/package-list/hooks/use-list-choice.ts';
import { packages as words } from '#messages/en/packages.ts';
import {
  type Choice,
  chosen,
  countChosen,
  foundElsewhere,
  metersToPickup,
  type SearchedTab,
  type TabName,
} from '#package-ui/list-rules.ts';
import css from '#package-ui/package-card.module.css';
import { distancesOf, PackageCard, type PackageCardProps } from '#package-ui/package-card.tsx';
import { usePlace } from '#package-ui/use-place.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import { Button } from '#ui/button.tsx';
import { CardSkeletons, Notice, RetryNotice } from '#ui/card.tsx';
import { VirtualList } from '#ui/virtual-list.tsx';
import { ListTools } from './list-tools.tsx';
import { NextStop } from './next-stop.tsx';

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
  contents: SearchedTab | undefined;
  /** An empty list's explanation, and a link to get its first package. */
  hint?: string | undefined;
  wayOn?: ReactNode;
}

export function PackageList(props: PackageListProps) {
  const { tab, isOwn = false, contents } = props;
  const choice = useListChoice(tab, isOwn);
  const isSilent = useIsStorageSilent();
  if (contents === undefined && isSilent) {
    return <Notice icon={icon(DatabaseZap)} title={words.storageSilent} />;
  }
  if (contents === undefined) return <CardSkeletons label={words.loading} />;
  return <FullList {...props} isOwn={isOwn} contents={contents} choice={choice} />;
}

/** A search, or filters, that nothing matches. */
export function NoMatch({ choice: { settled, clear } }: { choice: ListChoice }) {
  return (
    <Notice
      icon={icon(SearchX)}
      title={settled.query ? words.list.noMatch(settled.query) : words.list.noFiltered}
      text={countChosen(settled) > 0 ? words.list.fewerFilters : words.list.otherWords}
    >
      <Button tone="quiet" onClick={clear}>
        {words.list.clear}
      </Button>
    </Notice>
  );
}

interface EmptyListProps extends Pick<PackageListProps, 'hint' | 'wayOn'> {
  contents: SearchedTab;
}

/** Tells apart: no packages, not loaded yet, failed to load. */
export function EmptyList({ contents: { emptyText }, hint, wayOn }: EmptyListProps) {
  const lastPulledAt = useLastPulledAt();
  const { lastFailure } = useSyncStatus();
  const { isBusy, refresh } = useRefresh(() => undefined);
  if (lastPulledAt) {
    return (
      <Notice icon={icon(PackageSearch)} title={emptyText} text={hint}>
        {wayOn}
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
function useShown({ views, others }: SearchedTab, choice: Choice, place: Location | null) {
  return useMemo(() => {
    const here = { nowMs: serverNow(), place };
    return {
      shown: chosen(views, choice, here),
      elsewhere: foundElsewhere(others, choice, here),
    };
  }, [views, others, choice, place]);
}

/**
 * The first package of each group, by its id. A courier's groups begin with final packages: before
 * them are the next stops and packages that need attention.
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

interface FullListProps extends PackageListProps {
  isOwn: boolean;
  contents: SearchedTab;
  choice: ListChoice;
}

function FullList({ tab, isOwn, contents, choice, hint, wayOn }: FullListProps) {
  const { views, others } = contents;
  const selected = useAtomValue(selectedPackageAtom);
  const self = useOwnUser() ?? undefined;
  const actor = useActorOf(self);
  const { settled } = choice;
  const place = usePlace(choice.reader.isCourier);
  const { shown, elsewhere } = useShown(contents, settled, place);
  const isActive = choice.query !== '' || shown.length < views.length;
  const isInOrder = tab === 'in-transit' && settled.sort === '';
  const [firstElsewhere] = elsewhere;
  const headingOf = useMemo(() => {
    if (!isInOrder && !firstElsewhere) return undefined;
    const starts = isInOrder ? groupStarts(shown, isOwn) : new Map<string, string>();
    if (firstElsewhere) starts.set(firstElsewhere.id, words.list.elsewhere);
    return ({ id }: PackageView) =>
      starts.has(id) && <h2 className={css.group}>{starts.get(id)}</h2>;
  }, [shown, firstElsewhere, isOwn, isInOrder]);
  // Whatever the order of the others.
  const next =
    tab === 'in-transit' &&
    !isOwn &&
    !isActive &&
    views.find(({ status }) => status === 'in-transit');
  const stop = next ? nextStop(next) : null;
  const rest = next ? shown.filter((view) => view !== next) : [...shown, ...elsewhere];
  // A courier's list begins with the next stop, without room for results from other tabs.
  const searched = views.length + (choice.reader.isCourier && views.length > 0 ? 0 : others.length);
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
      {(searched > maxWithoutTools || isActive) && (
        <ListTools tab={tab} choice={choice} contents={contents} shownCount={rest.length} />
      )}
      {views.length === 0 && !isActive && (
        <EmptyList contents={contents} hint={hint} wayOn={wayOn} />
      )}
      {rest.length === 0 && !next && isActive && <NoMatch choice={choice} />}
      {rest.length > 0 && (
        <VirtualList
          items={rest}
          keyOf={idOf}
          label={words.list.label}
          estimatePx={cardPx}
          soughtKey={selected || undefined}
          headingOf={headingOf}
          render={(view) =>
            card(view, { level: (isInOrder && (isOwn || next)) || view === firstElsewhere ? 3 : 2 })
          }
        />
      )}
    </>
  );
}
