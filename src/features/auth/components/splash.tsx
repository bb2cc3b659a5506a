import { useEffect, useState } from 'react';
import { productName } from '#contract/version.ts';
import { auth as words } from '#messages/en/auth.ts';
import { safeSessionStorage, storedFlag } from '#state/safe-storage.ts';
import { paintedForMs } from '#ui/first-screen.ts';
import { Wordmark } from '#ui/wordmark.tsx';

export const splashMs = 3000;

/** Looks like index.html's first paint and counts from it, so slow phones do not wait longer. */
export function Splash({ onEnd }: { onEnd(): void }) {
  const [leftMs] = useState(() => splashMs - paintedForMs());
  useEffect(() => {
    const timer = setTimeout(onEnd, leftMs);
    window.addEventListener('keydown', onEnd);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onEnd);
    };
  }, [onEnd, leftMs]);
  const [promise, virtues] = words.taglines;
  return (
    <button type="button" className="boot" onClick={onEnd} aria-label={words.splash}>
      <Wordmark label={productName} height={72} />
      <b>{promise}</b>
      <i>{virtues}</i>
    </button>
  );
}

/** Whether this tab has shown the splash; without sessionStorage, whether this page has. */
export const splashFlag = storedFlag('splashSeen', safeSessionStorage);
