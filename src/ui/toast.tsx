/** The one way to say something in passing. Screens call these; transport code never does. */
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { resolveValue, toast, useToaster } from 'react-hot-toast';
import { Button, type ButtonTone } from './button.tsx';
import css from './toast.module.css';

/**
 * Toasts in a column of their own, so that none lies over another however it wraps. It stands over
 * the tab bar: the top of a screen holds the way back, the title and a package's state.
 */
export function ToastHost() {
  const { toasts } = useToaster();
  return (
    <div className={css.host}>
      {toasts
        .filter(({ visible }) => visible)
        .map((shown) => (
          <div key={shown.id} {...shown.ariaProps}>
            {resolveValue(shown.message, shown)}
          </div>
        ))}
    </div>
  );
}

export interface ToastOptions {
  /** Toasts of one subject take each other's place; without one, only the same words do. */
  subject?: string;
  durationMs?: number;
  /** What can be done about it in passing; the toast goes with it. */
  action?: { label: string; onAct(): void } | undefined;
}

function show(
  text: string,
  tone: 'good' | 'bad' | 'plain',
  icon: ReactNode,
  { subject = text, durationMs, action }: ToastOptions & { durationMs: number },
) {
  const look = [css.toast, action ? css.acting : css.passing, tone === 'plain' ? '' : css[tone]];
  toast.custom(
    <div className={look.join(' ')}>
      {icon}
      <span>{text}</span>
      {action && (
        <Button
          tone="quiet"
          onClick={() => {
            toast.remove(subject);
            action.onAct();
          }}
        >
          {action.label}
        </Button>
      )}
    </div>,
    {
      id: subject,
      duration: durationMs,
      removeDelay: 1,
      ariaProps: {
        role: tone === 'bad' ? 'alert' : 'status',
        'aria-live': tone === 'bad' ? 'assertive' : 'polite',
      },
    },
  );
}

export function showSuccess(text: string, options: ToastOptions = {}): void {
  show(text, 'good', <CircleCheck aria-hidden size={22} />, { durationMs: 2000, ...options });
}

export function showError(text: string, options: ToastOptions = {}): void {
  show(text, 'bad', <CircleAlert aria-hidden size={22} />, { durationMs: 4000, ...options });
}

export function showInfo(text: string, options: ToastOptions = {}): void {
  show(text, 'plain', <Info aria-hidden size={22} />, { durationMs: 2000, ...options });
}

/** What was said of this subject no longer holds. */
export function dismissToast(subject: string): void {
  toast.remove(subject);
}

export interface ToastQuestion {
  title: string;
  /** What the question is about, by its name. */
  about?: string;
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
  about,
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
      onKeyDown={({ key }) => key === 'Escape' && onAnswer(false)}
    >
      <strong id={`${id}-title`}>{title}</strong>
      {(about || text) && (
        <div id={`${id}-text`}>
          {about && <p className={css.about}>{about}</p>}
          {text && <p>{text}</p>}
        </div>
      )}
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

/**
 * Asks in a toast. No answer within its time means no: nothing happens. The answer takes the
 * question back: it does not outlive the screen that asked it.
 */
export function askInToast(question: ToastQuestion, onConfirm: () => void): () => void {
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
  return () => toast.remove(question.title);
}
