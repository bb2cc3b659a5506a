import { formatDate } from '#domain/format-date.ts';
import { relativeTime } from '#domain/relative-time.ts';
import { RelativeTime } from '#ui/relative-time.tsx';
import { useNow } from '#ui/use-now.ts';
import { words } from './words.ts';

/** 'in 3 hours', and exactly when on demand; 'Not specified' where there is no time. */
export function When({ iso }: { iso: string | null }) {
  const nowMs = useNow();
  const exact = formatDate(iso, words.notSpecified);
  if (iso === null) return exact;
  return <RelativeTime iso={iso} exact={exact} relative={relativeTime(iso, nowMs)} />;
}

/** '21 Nov 2026, 14:30 · in 3 hours' */
export function WhenBoth({ iso }: { iso: string | null }) {
  const nowMs = useNow();
  const relative = relativeTime(iso, nowMs);
  const exact = formatDate(iso, words.notSpecified);
  return relative === null ? exact : `${exact} · ${relative}`;
}
