import css from './skeleton.module.css';

interface CardSkeletonsProps {
  label: string;
  count?: number;
}

/** Placeholders in the shape of cards, to avoid layout shift. */
export function CardSkeletons({ label, count = 3 }: CardSkeletonsProps) {
  return (
    <div className={css.cards} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <div key={place} className={css.card} aria-hidden>
          <div className={css.head}>
            <span className={css.title} />
            <span className={css.badge} />
          </div>
          <span className={css.line} />
          <span className={css.short} />
          <span className={css.line} />
          <span className={css.button} />
        </div>
      ))}
    </div>
  );
}
