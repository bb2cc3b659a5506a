import { useAtomValue } from 'jotai';
import { DatabaseZap, PackageSearch } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PackageView } from '#domain/overlay.ts';
import { useActor } from '#live/use-actor.ts';
import { useIsStorageSilent } from '#live/use-packages.ts';
import { useOwnUser } from '#live/use-users.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import { Notice, Skeletons } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import { PackageCard } from './package-card.tsx';
import { words } from './words.ts';

/** Cards drawn at first and with each reach of the list's end: a cheap phone draws these at once. */
const pageSize = 30;

/** Grows by a page whenever the marker under the list comes into view. */
function useGrowingPage(total: number, neededIndex: number) {
  const [grown, setCount] = useState(pageSize);
  const count = Math.max(grown, neededIndex + 1);
  const marker = useRef<HTMLLIElement>(null);
  const hasMore = count < total;
  useEffect(() => {
    const element = marker.current;
    if (!hasMore || !element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setCount(count + pageSize);
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasMore, count]);
  return { count, hasMore, marker };
}

/** Brings the package that was accepted or looked at last into sight, once per visit. */
function useScrollToSelected(views: readonly PackageView[] | undefined) {
  const selected = useAtomValue(selectedPackageAtom);
  const isDone = useRef(false);
  const card = useRef<HTMLLIElement>(null);
  const index = views?.findIndex(({ id }) => id === selected) ?? -1;
  useEffect(() => {
    if (index < 0 || isDone.current) return;
    isDone.current = true;
    card.current?.scrollIntoView({ block: 'nearest' });
  }, [index]);
  return { selected, index, card };
}

interface PackageListProps {
  /** Undefined while the phone's own database is read. */
  views: readonly PackageView[] | undefined;
  emptyText: string;
}

export function PackageList({ views, emptyText }: PackageListProps) {
  const { selected, index, card } = useScrollToSelected(views);
  const { count, hasMore, marker } = useGrowingPage(views?.length ?? 0, index);
  const actor = useActor();
  const self = useOwnUser() ?? undefined;
  const isSilent = useIsStorageSilent();
  if (views === undefined && isSilent) {
    return <Notice icon={<DatabaseZap aria-hidden size={40} />} text={words.storageSilent} />;
  }
  if (views === undefined) return <Skeletons label={words.loading} />;
  if (views.length === 0) {
    return <Notice icon={<PackageSearch aria-hidden size={40} />} text={emptyText} />;
  }
  return (
    <ul className={layout.stack}>
      {views.slice(0, count).map((view) => (
        <li key={view.id} ref={view.id === selected ? card : null} className={layout.landing}>
          <PackageCard view={view} actor={actor} self={self} />
        </li>
      ))}
      {hasMore && <li ref={marker} aria-hidden style={{ height: 1 }} />}
    </ul>
  );
}
