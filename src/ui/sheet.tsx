import { ChevronDown, ChevronUp, X } from 'lucide-react';
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { IconButton } from './button.tsx';
import css from './sheet.module.css';
import layout from './stack.module.css';
import { useBackCloses } from './use-back-closes.ts';
import { deskMedia, useMedia } from './use-media.ts';

export interface SheetWords {
  label: string;
  raise: string;
  lower: string;
  close: string;
}

interface SheetProps {
  words: SheetWords;
  /** Percentage of the viewport height. */
  heightPercent: number;
  isFull: boolean;
  title: string;
  /** Drag distance in px, negative upwards; the owner decides what it means. */
  onDragged(distancePx: number): void;
  onRaise: (() => void) | null;
  onLower: (() => void) | null;
  onClose(): void;
  children: ReactNode;
}

/** Smaller moves count as taps. */
const slackPx = 6;

/**
 * Drags from anywhere, buttons included, but a part that scrolls (`[data-scrolls]`); a drag
 * suppresses the click. If `isScrolled`, only from `[data-handle="true"]`, since elsewhere moving scrolls.
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
    // This gesture's click fires before the timeout; later clicks (keyboard, screen reader) pass.
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
        if (event.button !== 0 || (isScrolled && !target.closest('[data-handle="true"]'))) return;
        if (target.closest('[data-scrolls="true"]')) return;
        start.current = event.clientY;
        if (target.closest('button, a')) return;
        // Otherwise a mouse selects text, and the next drag would drag that selection.
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      },
      onPointerMove: (event: PointerEvent) => {
        if (start.current === null) return;
        const distance = event.clientY - start.current;
        if (!hasMoved.current && Math.abs(distance) <= slackPx) return;
        // Captured only once it moves: capturing a tap would suppress the button's click.
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

/**
 * A bottom sheet, dragged or moved by buttons. When full, only its head drags; Escape closes. On a
 * desk it is a panel of one height.
 */
export function Sheet(props: SheetProps) {
  const { words, heightPercent, isFull, title, onRaise, onLower, onClose, children } = props;
  const isPanel = useMedia(deskMedia);
  const { distancePx, handlers } = useDrag(props.onDragged, isFull);
  const heading = useRef<HTMLHeadingElement>(null);
  const wasFull = useRef(isFull);
  useBackCloses('sheet', isFull, onClose);
  const buttons = useRef<HTMLDivElement>(null);
  const opener = useRef<Element | null>(null);
  // In the layout phase, before hidden elements lose focus.
  useLayoutEffect(() => {
    if (isFull && !wasFull.current) {
      opener.current = document.activeElement;
      heading.current?.focus();
    } else if (!isFull && wasFull.current) {
      const back = opener.current;
      if (back instanceof HTMLElement) back.focus();
      // Opened by dragging, or the opener is gone: focus a button that remains.
      const isBack = document.activeElement === back && back !== document.body;
      if (!isBack) buttons.current?.querySelector('button')?.focus();
    }
    wasFull.current = isFull;
  }, [isFull]);
  const close = useRef(onClose);
  close.current = onClose;
  useEffect(() => {
    if (!isFull) return;
    // On the window: it closes by Escape when the focus has left the page, too.
    const press = ({ key, target }: KeyboardEvent) => {
      if (key !== 'Escape' || document.querySelector('dialog[open]')) return;
      if (!(target as Element).closest('[role=alertdialog]')) close.current();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [isFull]);
  const isLowest = onLower === null;
  const lowered = useRef(false);
  useLayoutEffect(() => {
    // The pressed button is gone: focus the one next to it, which reverses the move.
    if (isLowest && lowered.current) buttons.current?.querySelector('button')?.focus();
    lowered.current = false;
  }, [isLowest]);
  return (
    <section
      className={css.sheet}
      aria-label={words.label}
      data-full={isFull}
      data-dragging={distancePx !== 0}
      style={isPanel ? undefined : { height: `calc(${heightPercent}dvh - ${distancePx}px)` }}
      {...(isPanel ? {} : handlers)}
    >
      {(isFull || !isPanel) && (
        <div className={css.head} data-handle={!isPanel}>
          {!isPanel && <span className={css.grip} aria-hidden />}
          {isFull && (
            <h2 className={css.title} ref={heading} tabIndex={-1}>
              {title}
            </h2>
          )}
          <div className={css.buttons} ref={buttons}>
            {onRaise && !isPanel && (
              <IconButton label={words.raise} icon={<ChevronUp aria-hidden />} onClick={onRaise} />
            )}
            {onLower && !isPanel && (
              <IconButton
                label={words.lower}
                icon={<ChevronDown aria-hidden />}
                onClick={() => {
                  lowered.current = true;
                  onLower();
                }}
              />
            )}
            {isFull && (
              <IconButton label={words.close} icon={<X aria-hidden />} onClick={onClose} />
            )}
          </div>
        </div>
      )}
      <div className={`${css.body} ${layout.leads}`}>{children}</div>
    </section>
  );
}
