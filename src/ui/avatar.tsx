import css from './avatar.module.css';

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** By grapheme, so that an emoji or a letter with combining marks stays whole. */
function initialOf(name: string): string {
  const [first] = segments.segment(name.trim());
  return (first?.segment ?? '?').toLocaleUpperCase('en');
}

/** Decorative (aria-hidden): always rendered next to the full name. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className={css.avatar} aria-hidden>
      {initialOf(name)}
    </span>
  );
}
