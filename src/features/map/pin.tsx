import css from './pin.module.css';

/** Its point is the middle of its lower edge. A pickup is dyed, a drop-off marigold, with other holes. */
export function Pin({ kind }: { kind: 'pickup' | 'delivery' }) {
  return (
    <svg
      className={css.pin}
      data-kind={kind}
      viewBox="0 0 32 40"
      width="32"
      height="40"
      aria-hidden="true"
    >
      <path d="M16 39 C 7 27 2 22 2 15 a 14 14 0 0 1 28 0 C 30 22 25 27 16 39z" />
      {kind === 'pickup' ? (
        <rect x="11" y="10" width="10" height="10" rx="2" />
      ) : (
        <circle cx="16" cy="15" r="5" />
      )}
    </svg>
  );
}
