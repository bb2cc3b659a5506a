import { type ReactNode, useId } from 'react';
import css from './dialog.module.css';
import { Modal } from './dialog.tsx';

interface PanelDialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

export function PanelDialog({ title, onClose, children }: PanelDialogProps) {
  const id = useId();
  return (
    <Modal className={css.dialog} onClose={onClose} labelledBy={id}>
      <div className={css.content}>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </Modal>
  );
}
