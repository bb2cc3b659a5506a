import { useState } from 'react';
import css from './relative-time.module.css';

interface RelativeTimeProps {
  iso: string;
  /** '21 Nov 2026, 14:30' */
  exact: string;
  /** 'in 3 hours'; null to show the exact time only. */
  relative: string | null;
}

/** A relative time; press or hover for the exact one. */
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
