import { useEffect } from 'react';
import { productName } from '#domain/product.ts';
import css from './splash.module.css';
import { words } from './words.ts';

/** SPEC.md section 2: three seconds on /auth; a tap or a key ends it. */
export const splashMs = 3000;

export function Splash({ onEnd }: { onEnd(): void }) {
  useEffect(() => {
    const timer = setTimeout(onEnd, splashMs);
    window.addEventListener('keydown', onEnd);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('keydown', onEnd);
    };
  }, [onEnd]);
  return (
    <button type="button" className={css.splash} onClick={onEnd} aria-label={words.splash}>
      <img src="/icons/mark.svg" alt="" width="96" height="96" />
      <span className={css.wordmark}>{productName}</span>
      {words.taglines.map((line) => (
        <span key={line} className={css.tagline}>
          {line}
        </span>
      ))}
    </button>
  );
}
