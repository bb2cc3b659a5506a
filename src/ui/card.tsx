import { type ReactNode, useId } from 'react';
import { Button } from './button.tsx';
import css from './card.module.css';
import shape from './skeleton.module.css';
import layout from './stack.module.css';

interface CardProps {
  title: ReactNode;
  /** Next to the title: a badge, an Edit link. */
  aside?: ReactNode;
  /** 'article' for a self-contained item of a list. */
  as?: 'section' | 'article';
  level?: 2 | 3;
  children?: ReactNode;
}

/** A titled block, labelled by its title for screen readers. */
export function Card({ title, aside, as: Element = 'section', level = 2, children }: CardProps) {
  const Heading = `h${level}` as const;
  const id = useId();
  return (
    <Element className={`${layout.surface} ${layout.tight} ${css.card}`} aria-labelledby={id}>
      <div className={`${layout.spread} ${css.head}`}>
        <Heading className={css.title} id={id} dir="auto">
          {title}
        </Heading>
        {aside}
      </div>
      {children}
    </Element>
  );
}

interface FactProps {
  label: string;
  children: ReactNode;
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className={`${layout.tight} ${css.facts}`}>{children}</dl>;
}

export function Fact({ label, children }: FactProps) {
  return (
    <div className={css.fact}>
      <dt className={layout.note}>{label}</dt>
      <dd dir="auto">{children}</dd>
    </div>
  );
}

interface NoticeProps {
  icon: ReactNode;
  title: string;
  /** One sentence: why, or what to do. */
  text?: string | undefined;
  isAlert?: boolean;
  /** One button. */
  children?: ReactNode;
}

/** Replaces a list or record: empty, missing or failed. For a whole screen: MessageScreen. */
export function Notice({ icon, title, text, isAlert = false, children }: NoticeProps) {
  return (
    <div className={`${css.notice} ${layout.message}`} data-notice>
      {icon}
      <div role={isAlert ? 'alert' : undefined}>
        <h2>{title}</h2>
      </div>
      {text && <p>{text}</p>}
      {children}
    </div>
  );
}

/** Shown while the local database is read. */
export function Skeletons({ label, count = 2 }: { label: string; count?: number }) {
  return (
    <div className={layout.stack} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <div key={place} className={shape.block} />
      ))}
    </div>
  );
}

interface CardSkeletonsProps {
  label: string;
  count?: number;
}

/** Placeholders in the shape of cards, to avoid layout shift. */
export function CardSkeletons({ label, count = 3 }: CardSkeletonsProps) {
  return (
    <div className={layout.stack} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, place) => place).map((place) => (
        <div key={place} className={`${layout.surface} ${layout.tight} ${shape.card}`} aria-hidden>
          <div className={layout.spread}>
            <span className={shape.title} />
            <span className={shape.badge} />
          </div>
          <div className={layout.spread}>
            <span className={shape.price} />
            <span className={shape.button} />
          </div>
          <span className={shape.short} />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}

interface RetryNoticeProps extends Pick<NoticeProps, 'icon' | 'title' | 'text'> {
  /** The button's label. */
  label: string;
  isBusy: boolean;
  onRetry(): void;
}

/** When it could not be loaded. */
export function RetryNotice({ label, isBusy, onRetry, ...rest }: RetryNoticeProps) {
  return (
    <Notice {...rest} isAlert>
      <Button isBusy={isBusy} onClick={onRetry}>
        {label}
      </Button>
    </Notice>
  );
}
