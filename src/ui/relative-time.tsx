import { useState } from 'react';
import css from './relative-time.module.css';

interface RelativeTimeProps {
  /** For machines. */
  iso: string;
  /** '21 Nov 2026, 14:30' */
  exact: string;
  /** 'in 3 hours'; null where the exact time says it best. */
  relative: string | null;
}

/** How far off a time is; a press, or the pointer on it, says exactly when. */
export function RelativeTime({ iso, exact, relative }: RelativeTimeProps) {
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
