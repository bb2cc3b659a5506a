import { X } from 'lucide-react';
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { Button, type ButtonTone, IconButton } from './button.tsx';
import css from './dialog.module.css';
import layout from './stack.module.css';
import { useBackCloses } from './use-back-closes.ts';

/** In which the browser counts two clicks as a double one. */
const doubleMs = 500;

interface ModalProps {
  /** Stable where it opens again after a reload (use-back-closes.ts). */
  name?: string;
  className: string | undefined;
  onClose(): void;
  label?: string;
  labelledBy?: string;
  children: ReactNode;
}

/** A double tap on a dialog's button must not press the element below it. */
function swallowDoubles(): void {
  const swallow = (event: Event) => {
    if ((event as UIEvent).detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true });
  setTimeout(() => window.removeEventListener('click', swallow, { capture: true }), doubleMs);
}

/** A native modal dialog: traps focus, returns it to the opener, closes on Escape. */
function Modal({ name, className, onClose, label, labelledBy, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const ownName = useId();
  useBackCloses(name ?? ownName, true, onClose);
  // In the layout phase: closing a dialog already removed from the DOM does not restore focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => {
      element?.close();
      swallowDoubles();
    };
  }, []);
  const closeOnBackdrop = (event: MouseEvent<HTMLDialogElement>) => {
    // A click on the backdrop has the dialog as its target but lies outside its box. The second of
    // two clicks is meant for the button that opened it.
    if (event.target !== dialog.current || event.detail > 1) return;
    const box = dialog.current.getBoundingClientRect();
    const isInside =
      event.clientX >= box.left &&
      event.clientX <= box.right &&
      event.clientY >= box.top &&
      event.clientY <= box.bottom;
    if (!isInside) onClose();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does by keyboard what the backdrop does by pointer.
    <dialog
      ref={dialog}
      className={className}
      aria-label={label}
      aria-labelledby={labelledBy}
      onClick={closeOnBackdrop}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}

interface QuestionProps {
  title: string;
  text: string;
  confirmLabel: string;
  cancelLabel: string;
  confirmTone?: ButtonTone;
  cancelTone?: ButtonTone;
  onConfirm(): void;
  onCancel(): void;
}

export function QuestionDialog(props: QuestionProps) {
  return (
    <PanelDialog title={props.title} onClose={props.onCancel}>
      <p dir="auto">{props.text}</p>
      <div className={layout.choices}>
        <Button tone={props.cancelTone ?? 'quiet'} onClick={props.onCancel}>
          {props.cancelLabel}
        </Button>
        <Button tone={props.confirmTone ?? 'primary'} onClick={props.onConfirm}>
          {props.confirmLabel}
        </Button>
      </div>
    </PanelDialog>
  );
}

interface DrawerProps {
  label: string;
  onClose(): void;
  children: ReactNode;
}

/** A modal drawer from the left: 80% of the screen, at most 300 px. */
export function Drawer({ label, onClose, children }: DrawerProps) {
  return (
    <Modal className={css.drawer} onClose={onClose} label={label}>
      {children}
    </Modal>
  );
}

interface PanelDialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/** A dialog with more in it than a question: a form, a choice. */
export function PanelDialog({ title, onClose, children }: PanelDialogProps) {
  const id = useId();
  return (
    <Modal className={css.dialog} onClose={onClose} labelledBy={id}>
      <div className={layout.stack}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </Modal>
  );
}

interface SheetDialogProps extends PanelDialogProps {
  name: string;
  closeLabel: string;
}

/** A step of the work, with its action at the thumb: from the bottom of a phone, a panel elsewhere. */
export function SheetDialog({ name, title, closeLabel, onClose, children }: SheetDialogProps) {
  const id = useId();
  return (
    <Modal name={name} className={`${css.dialog} ${css.sheet}`} onClose={onClose} labelledBy={id}>
      <div className={`${layout.spread} ${css.head}`}>
        <h2 id={id}>{title}</h2>
        <IconButton label={closeLabel} icon={<X aria-hidden size={24} />} onClick={onClose} />
      </div>
      {children}
    </Modal>
  );
}

/** The action of a sheet, which stays in sight. */
export function SheetActions({ children }: { children: ReactNode }) {
  return <div className={`${layout.tight} ${css.actions}`}>{children}</div>;
}
