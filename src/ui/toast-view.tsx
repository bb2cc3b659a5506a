/** Renders toasts with react-hot-toast, in its own chunk: the first screen does not need it. */
import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { resolveValue, type Toast, toast, useToaster } from 'react-hot-toast/headless';
import { Button, type ButtonTone } from './button.tsx';
import layout from './stack.module.css';
import css from './toast.module.css';
import { goBackOver, useBackCloses } from './use-back-closes.ts';

type Tone = 'good' | 'bad' | 'plain';

export interface ToastOptions {
  /** Toasts of one subject take each other's place; without one, only the same words do. */
  subject?: string;
  durationMs?: number;
  /** Pressing it closes the toast. */
  action?: { label: string; onAct(): void } | undefined;
}

export interface ToastQuestion {
  title: string;
  /** Name of the thing in question. */
  about?: string;
  text?: string;
  /** Consequence of confirming. */
  effect?: string;
  confirmLabel: string;
  cancelLabel: string;
  confirmTone?: ButtonTone;
  durationMs: number;
  /** False if it can wait while the user types. */
  takesFocus?: boolean;
}

/**
 * Toasts stack in a column so that none covers another, above the tab bar because the top of a
 * screen holds Back, the title and a package's state. None expires while one is under a finger, a
 * moving mouse or the keyboard's focus. A mouse that rests where a toast appears does not count, nor
 * does the focus a question takes after a tap, which is not visible.
 */
export function ToastColumn() {
  const { toasts, handlers } = useToaster();
  const [held, setHeld] = useState<{ pointer?: string; focus?: string }>({});
  const hold = (by: 'pointer' | 'focus', id?: string) => {
    if (held[by] !== id) setHeld(({ [by]: _, ...other }) => (id ? { ...other, [by]: id } : other));
  };
  const shown = toasts.filter(({ visible }) => visible);
  const isHeld = shown.some(({ id }) => id === held.pointer || id === held.focus);
  const { startPause, endPause } = handlers;
  // In the layout phase: a timer that is already due must not fire first.
  useLayoutEffect(() => {
    if (isHeld) startPause();
  }, [isHeld, startPause]);
  // After each rendering: `endPause` does nothing before the pause has been rendered.
  useLayoutEffect(() => {
    if (!isHeld) endPause();
  });
  return (
    <div className={css.host}>
      {shown.map((each) => (
        // biome-ignore lint/a11y/noStaticElementInteractions: it waits for the pointer, and does nothing else.
        <div
          key={each.id}
          {...(isQuestion(each) ? {} : each.ariaProps)}
          onPointerDown={() => hold('pointer', each.id)}
          onPointerMove={() => hold('pointer', each.id)}
          onPointerLeave={() => hold('pointer')}
          onFocus={({ target }) => target.matches(':focus-visible') && hold('focus', each.id)}
          onBlur={() => hold('focus')}
        >
          {resolveValue(each.message, each)}
        </div>
      ))}
    </div>
  );
}

/** Rendered with its answer; an alertdialog inside a live region would be read twice. */
const isQuestion = ({ message }: Toast) => typeof message === 'function';

const icons: Record<Tone, ReactNode> = {
  good: <CircleCheck aria-hidden size={22} />,
  bad: <CircleAlert aria-hidden size={22} />,
  plain: <Info aria-hidden size={22} />,
};

/**
 * The current toast of each subject. Each gets a fresh id: react-hot-toast 2.6 removes by id, and a
 * removal already scheduled would also remove the next toast of the same subject.
 */
const standing = new Map<string, string>();
let said = 0;

function takePlace(subject: string): string {
  dismiss(subject);
  said += 1;
  const id = `${subject} ${said}`;
  standing.set(subject, id);
  return id;
}

export function say(
  text: string,
  tone: Tone,
  { subject = text, durationMs, action }: ToastOptions & { durationMs: number },
): void {
  const id = takePlace(subject);
  const look = [css.toast, action ? css.acting : '', tone === 'plain' ? '' : css[tone]];
  toast.custom(
    <div className={look.join(' ')}>
      {icons[tone]}
      <span dir="auto">{text}</span>
      {action && (
        <Button
          tone="quiet"
          onClick={() => {
            toast.remove(id);
            action.onAct();
          }}
        >
          {action.label}
        </Button>
      )}
    </div>,
    {
      id,
      duration: durationMs,
      removeDelay: 1,
      ariaProps: {
        role: tone === 'bad' ? 'alert' : 'status',
        'aria-live': tone === 'bad' ? 'assertive' : 'polite',
      },
    },
  );
}

export function dismiss(subject: string): void {
  toast.remove(standing.get(subject) ?? subject);
  standing.delete(subject);
}

interface QuestionToastProps extends ToastQuestion {
  onAnswer(isConfirmed: boolean): void;
}

function QuestionToast({
  title,
  about,
  text,
  effect,
  onAnswer,
  takesFocus = true,
  ...labels
}: QuestionToastProps) {
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const answer = useRef<boolean | null>(null);
  // Back closes it, as it closes a dialog; a question that can wait leaves Back alone.
  useBackCloses(id, takesFocus, () => onAnswer(answer.current ?? false));
  // Removes the question's history entry first, because the confirmed action may navigate.
  const close = (isConfirmed: boolean) => {
    if (answer.current !== null) return;
    answer.current = isConfirmed;
    if (!goBackOver(id)) onAnswer(isConfirmed);
  };
  // Moves focus to the question, which expires while a keyboard user looks for it; then restores
  // it.
  useEffect(() => {
    if (!takesFocus) return;
    const before = document.activeElement;
    box.current?.querySelector('button')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [takesFocus]);
  return (
    <>
      {!takesFocus && (
        <p className="visually-hidden" role="status">
          {title}
        </p>
      )}
      <div
        ref={box}
        className={`${css.toast} ${css.question} ${takesFocus ? css.leading : ''}`}
        role="alertdialog"
        aria-labelledby={`${id}-title`}
        aria-describedby={text ? `${id}-text` : undefined}
        onKeyDown={({ key }) => key === 'Escape' && close(false)}
      >
        <strong id={`${id}-title`}>{title}</strong>
        {(about || text) && (
          <div id={`${id}-text`}>
            {about && <p className={css.about}>{about}</p>}
            {text && <p>{text}</p>}
            {effect && <p>{effect}</p>}
          </div>
        )}
        <div className={layout.choices}>
          <Button tone="quiet" onClick={() => close(false)}>
            {labels.cancelLabel}
          </Button>
          <Button tone={labels.confirmTone ?? 'primary'} onClick={() => close(true)}>
            {labels.confirmLabel}
          </Button>
        </div>
      </div>
    </>
  );
}

export function ask(question: ToastQuestion, onConfirm: () => void): void {
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
