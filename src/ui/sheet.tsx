import { ChevronDown, ChevronUp, X } from 'lucide-react';
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IconButton } from './button.tsx';
import css from './sheet.module.css';
import { useBackCloses } from './use-back-closes.ts';

export interface SheetWords {
  label: string;
  raise: string;
  lower: string;
  close: string;
}

interface SheetProps {
  words: SheetWords;
  /** Percent of the window's height. */
  heightPercent: number;
  isFull: boolean;
  /** Heading in the full state. */
  title: string;
  /** How far the finger went, in px; negative is up. The owner decides what that means. */
  onDragged(distancePx: number): void;
  onRaise: (() => void) | null;
  onLower: (() => void) | null;
  onClose(): void;
  children: ReactNode;
}

/** Moves smaller than this many px are a tap. */
const slackPx = 6;

/**
 * Dragging from wherever the finger lands, buttons included: one that moved has not pressed. Where
 * `isScrolled`, only from what is marked as a handle, since elsewhere moving is scrolling.
 */
function useDrag(onDragged: SheetProps['onDragged'], isScrolled: boolean) {
  const start = useRef<number | null>(null);
  const hasMoved = useRef(false);
  const [distancePx, setDistancePx] = useState(0);
  const end = (event: PointerEvent) => {
    if (start.current === null) return;
    const distance = event.type === 'pointercancel' ? 0 : event.clientY - start.current;
    start.current = null;
    setDistancePx(0);
    if (!hasMoved.current) return;
    onDragged(distance);
    // The click of this press comes before; one of a keyboard or a screen reader is none of it.
    setTimeout(() => {
      hasMoved.current = false;
    });
  };
  return {
    distancePx,
    handlers: {
      onPointerDown: (event: PointerEvent) => {
        const target = event.target as Element;
        hasMoved.current = false;
        if (event.button !== 0 || (isScrolled && !target.closest('[data-handle]'))) return;
        start.current = event.clientY;
        if (target.closest('button')) return;
        // A mouse would select the text under it, and the next drag would be one of that text.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        if (start.current === null) return;
        const distance = event.clientY - start.current;
        if (!hasMoved.current && Math.abs(distance) <= slackPx) return;
        // On a button not before it moves: a press that is captured is no click of that button.
        if (!hasMoved.current) event.currentTarget.setPointerCapture(event.pointerId);
        hasMoved.current = true;
        setDistancePx(distance);
      },
      onPointerUp: end,
      onPointerCancel: end,
      onClickCapture: (event: MouseEvent) => {
        if (!hasMoved.current) return;
        event.stopPropagation();
        event.preventDefault();
      },
    },
  };
}

/** A bottom sheet: dragged, full by its head alone, or moved by its buttons; Escape leaves the full state. */
export function Sheet(props: SheetProps) {
  const { words, heightPercent, isFull, title, onRaise, onLower, onClose, children } = props;
  const { distancePx, handlers } = useDrag(props.onDragged, isFull);
  const heading = useRef<HTMLHeadingElement>(null);
  const wasFull = useRef(isFull);
  useBackCloses('sheet', isFull, onClose);
  const buttons = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  // In the layout phase: what is hidden by then has not lost the focus yet.
  useLayoutEffect(() => {
    if (isFull && !wasFull.current) {
      opener.current = document.activeElement;
      heading.current?.focus();
    } else if (!isFull && wasFull.current) {
      const back = opener.current;
      if (back instanceof HTMLElement) back.focus();
      // Dragged up, or by a button that was gone by then: on something that stays.
      const isBack = document.activeElement === back && back !== document.body;
      if (!isBack) buttons.current?.querySelector('button')?.focus();
    }
    wasFull.current = isFull;
  }, [isFull]);
  const isLowest = onLower === null;
  const lowered = useRef(false);
  useLayoutEffect(() => {
    // The button that was pressed is gone: the one beside it leads back.
    if (isLowest && lowered.current) buttons.current?.querySelector('button')?.focus();
    lowered.current = false;
  }, [isLowest]);
  return (
    <section
      className={css.sheet}
      aria-label={words.label}
      data-full={isFull}
      data-lowest={isLowest && !isFull}
      data-dragging={distancePx !== 0}
      style={{ height: `calc(${heightPercent}dvh - ${distancePx}px)` }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && isFull) onClose();
      }}
      {...handlers}
    >
      <div className={css.head} data-handle>
        <span className={css.grip} aria-hidden />
        {isFull && (
          <h2 className={css.title} ref={heading} tabIndex={-1}>
            {title}
          </h2>
        )}
        <div className={css.buttons} ref={buttons}>
          {onRaise && (
            <IconButton label={words.raise} icon={<ChevronUp aria-hidden />} onClick={onRaise} />
          )}
          {onLower && (
            <IconButton
              label={words.lower}
              icon={<ChevronDown aria-hidden />}
              onClick={() => {
                lowered.current = true;
                onLower();
              }}
            />
          )}
          {isFull && <IconButton label={words.close} icon={<X aria-hidden />} onClick={onClose} />}
        </div>
      </div>
      <div className={css.body}>{children}</div>
    </section>
  );
}
