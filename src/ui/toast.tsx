/** The one way to say something in passing. Screens call these; transport code never does. */
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Toaster, toast } from 'react-hot-toast';
import { Button, type ButtonTone } from './button.tsx';
import css from './toast.module.css';

export function ToastHost() {
  return (
    <Toaster
      position="top-center"
      containerStyle={{ top: 'max(16px, env(safe-area-inset-top))' }}
    />
  );
}

function show(text: string, tone: 'good' | 'bad' | 'plain', icon: ReactNode, durationMs: number) {
  toast.custom(
    // The host keeps a toast for a moment after its time, over the one that took its place.
    ({ visible }) =>
      visible ? (
        <div className={`${css.toast} ${css.passing} ${tone === 'plain' ? '' : css[tone]}`}>
          {icon}
          <span>{text}</span>
        </div>
      ) : (
        // biome-ignore lint/complexity/noUselessFragments: the host takes an element, not null.
        <></>
      ),
    {
      // The same words again renew the toast instead of piling up.
      id: text,
      duration: durationMs,
      removeDelay: 1,
      ariaProps: {
        role: tone === 'bad' ? 'alert' : 'status',
        'aria-live': tone === 'bad' ? 'assertive' : 'polite',
      },
    },
  );
}

export function showSuccess(text: string, durationMs = 2000): void {
  show(text, 'good', <CircleCheck aria-hidden size={22} />, durationMs);
}

export function showError(text: string, durationMs = 4000): void {
  show(text, 'bad', <CircleAlert aria-hidden size={22} />, durationMs);
}

export function showInfo(text: string, durationMs = 2000): void {
  show(text, 'plain', <Info aria-hidden size={22} />, durationMs);
}

export interface ToastQuestion {
  title: string;
  text?: string;
  confirmLabel: string;
  cancelLabel: string;
  confirmTone?: ButtonTone;
  durationMs: number;
  /** False for what can wait while somebody is typing. */
  takesFocus?: boolean;
}

interface QuestionToastProps extends ToastQuestion {
  onAnswer(isConfirmed: boolean): void;
}

function QuestionToast({
  title,
  text,
  onAnswer,
  takesFocus = true,
  ...labels
}: QuestionToastProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  // Somebody on a keyboard has its seconds to answer, not to find it; the focus goes back after.
  useEffect(() => {
    if (!takesFocus) return;
    const before = document.activeElement;
    box.current?.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [takesFocus]);
  return (
    <div
      ref={box}
      className={`${css.toast} ${css.question}`}
      role="alertdialog"
      aria-labelledby={`${id}-title`}
      aria-describedby={text ? `${id}-text` : undefined}
    >
      <strong id={`${id}-title`}>{title}</strong>
      {text && <p id={`${id}-text`}>{text}</p>}
      <div className={css.actions}>
        <Button tone="quiet" onClick={() => onAnswer(false)}>
          {labels.cancelLabel}
        </Button>
        <Button tone={labels.confirmTone ?? 'primary'} onClick={() => onAnswer(true)}>
          {labels.confirmLabel}
        </Button>
      </div>
    </div>
  );
}

/** Asks in a toast. No answer within its time means no: nothing happens. */
export function askInToast(question: ToastQuestion, onConfirm: () => void): void {
  toast.custom(
    (shown) => (
      <QuestionToast
        {...question}
        onAnswer={(isConfirmed) => {
          toast.remove(shown.id);
          if (isConfirmed) onConfirm();
        }}
      />
    ),
    { id: question.title, duration: question.durationMs, removeDelay: 1 },
  );
}
