import { useEffect } from 'react';
import { productName } from '#domain/product.ts';
import { Wordmark } from '#ui/wordmark.tsx';
import { words } from './words.ts';

/** SPEC.md section 2: three seconds on /auth; a tap or a key ends it. */
export const splashMs = 3000;

/**
 * Looks as what index.html paints before any script, by that page's own rules ('boot').
 */
export function Splash({ onEnd }: { onEnd(): void }) {
  useEffect(() => {
    const timer = setTimeout(onEnd, splashMs);
    window.addEventListener('keydown', onEnd);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onEnd);
    };
  }, [onEnd]);
  const [promise, virtues] = words.taglines;
  return (
    <button type="button" className="boot" onClick={onEnd} aria-label={words.splash}>
      <Wordmark label={productName} height={72} />
      <b>{promise}</b>
      <i>{virtues}</i>
    </button>
  );
}
