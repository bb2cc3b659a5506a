import { PackageSearch } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { PackageView } from '#domain/overlay.ts';
import { useActor } from '#live/use-actor.ts';
import { useOwnUser } from '#live/use-users.ts';
import { Notice, Skeletons } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';
import { PackageCard } from './package-card.tsx';
import { words } from './words.ts';

/** Cards drawn at first and with each reach of the list's end: a cheap phone draws these at once. */
const pageSize = 30;

/** Grows by a page whenever the marker under the list comes into view. */
function useGrowingPage(total: number) {
  const [count, setCount] = useState(pageSize);
  const marker = useRef<HTMLLIElement>(null);
  const hasMore = count < total;
  useEffect(() => {
    const element = marker.current;
    if (!hasMore || !element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setCount((now) => now + pageSize);
      },
      { rootMargin: '600px' },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [hasMore]);
  return { count, hasMore, marker };
}

interface PackageListProps {
  /** Undefined while the phone's own database is read. */
  views: readonly PackageView[] | undefined;
  emptyText: string;
}

export function PackageList({ views, emptyText }: PackageListProps) {
  const { count, hasMore, marker } = useGrowingPage(views?.length ?? 0);
  const actor = useActor();
  const self = useOwnUser() ?? undefined;
  if (views === undefined) return <Skeletons label={words.loading} />;
  if (views.length === 0) {
    return <Notice icon={<PackageSearch aria-hidden size={40} />} text={emptyText} />;
  }
  return (
    <ul className={layout.stack}>
      {views.slice(0, count).map((view) => (
        <li key={view.id}>
          <PackageCard view={view} actor={actor} self={self} />
        </li>
      ))}
      {hasMore && <li ref={marker} aria-hidden style={{ height: 1 }} />}
    </ul>
  );
}
