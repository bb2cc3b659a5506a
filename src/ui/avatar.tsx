import css from './avatar.module.css';

const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** The first sign of a name as people see it: an emoji or a letter with its marks stays whole. */
function initialOf(name: string): string {
  const [first] = segments.segment(name.trim());
  return (first?.segment ?? '?').toLocaleUpperCase('en');
}

/** Somebody's initial in a disc; the name stands beside it, so it is not read out. */
export function Avatar({ name }: { name: string }) {
  return (
    <span className={css.avatar} aria-hidden>
      {initialOf(name)}
    </span>
  );
}
