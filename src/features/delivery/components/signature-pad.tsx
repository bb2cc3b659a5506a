import {
  type PointerEvent,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { proof as words } from '#messages/en/proof.ts';
import { Button } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import css from './proof.module.css';

/** Pixels of the picture, whatever the screen's: a signature needs no more. */
const width = 640;
const height = 320;
const strokeWidth = 4;

export interface Pad {
  /** Null: nothing is drawn. */
  picture(): Promise<Blob | null>;
  /** Returns the drawing to the pad when storing the result of `picture()` failed. */
  putBack(): void;
}

interface SignaturePadProps {
  pad: RefObject<Pad | null>;
  /** Called with a drawing not taken by `picture()` when the pad or the app is hidden. */
  onLeft(picture: Blob): void;
}

export function SignaturePad({ pad, onLeft }: SignaturePadProps) {
  const section = useRef<HTMLElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDrawn = useRef(false);
  const last = useRef<{ x: number; y: number } | null>(null);

  const clear = () => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    // On white by night as well: it is read as a picture.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
    isDrawn.current = false;
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for the white ground.
  useLayoutEffect(() => {
    clear();
    // The button that had the focus is gone; whatever else got it would scroll away from here.
    canvas.current?.focus({ preventScroll: true });
    // Again as the phone is turned to sign.
    const show = () => section.current?.scrollIntoView({ block: 'nearest' });
    const showAgain = () => document.activeElement === canvas.current && show();
    show();
    window.addEventListener('resize', showAgain);
    return () => window.removeEventListener('resize', showAgain);
  }, []);

  const placeOf = (event: PointerEvent<HTMLCanvasElement>) => {
    const box = event.currentTarget.getBoundingClientRect();
    return {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    };
  };
  const draw = (event: PointerEvent<HTMLCanvasElement>) => {
    const context = event.currentTarget.getContext('2d');
    const from = last.current;
    if (!context || !from) return;
    const to = placeOf(event);
    context.lineWidth = strokeWidth;
    context.lineCap = 'round';
    context.strokeStyle = '#1b1933';
    context.beginPath();
    context.moveTo(from.x, from.y);
    context.lineTo(to.x, to.y);
    context.stroke();
    last.current = to;
    isDrawn.current = true;
  };

  const take = (then: (picture: Blob | null) => void, from = canvas.current) => {
    if (isDrawn.current && from) from.toBlob(then, 'image/png');
    else then(null);
    isDrawn.current = false;
  };
  useImperativeHandle(pad, () => ({
    picture: () => new Promise((resolve) => take(resolve)),
    putBack: () => {
      isDrawn.current = true;
    },
  }));
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as it goes.
  useLayoutEffect(() => {
    const element = canvas.current;
    const leave = () => take((picture) => picture && onLeft(picture), element);
    // A phone may end the page then.
    const hide = () => document.visibilityState === 'hidden' && leave();
    document.addEventListener('visibilitychange', hide);
    return () => {
      document.removeEventListener('visibilitychange', hide);
      leave();
    };
  }, []);

  return (
    <section ref={section} aria-label={words.signature}>
      <div className={`${layout.spread} ${css.signHead}`}>
        <p aria-hidden>{words.sign.label}</p>
        <Button tone="plain" onClick={clear}>
          {words.sign.clear}
        </Button>
      </div>
      <canvas
        ref={canvas}
        className={css.pad}
        width={width}
        height={height}
        role="img"
        tabIndex={-1}
        aria-label={words.sign.label}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          last.current = placeOf(event);
          draw(event);
        }}
        onPointerMove={draw}
        onPointerUp={() => {
          last.current = null;
        }}
        onPointerCancel={() => {
          last.current = null;
        }}
      />
    </section>
  );
}
