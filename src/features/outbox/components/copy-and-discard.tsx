import { type ReactNode, useState } from 'react';
import css from '#features/outbox/screens/outbox-screen.module.css';
import { outbox as words } from '#messages/en/outbox.ts';
import { Button } from '#ui/button.tsx';
import { copyText } from '#ui/copy-button.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';

interface CopyAndDiscardProps {
  details(): string;
  discard(): Promise<unknown>;
  question: string;
  /** Discarding is the main action. */
  isFirst?: boolean;
  /** Links and buttons before the others. */
  children?: ReactNode;
}

export function CopyAndDiscard(props: CopyAndDiscardProps) {
  const { details, discard, question, isFirst = false, children } = props;
  const [isAsking, setIsAsking] = useState(false);
  const ask = () => setIsAsking(true);
  const copy = async () => {
    if (await copyText(details())) showSuccess(words.copied, { subject: 'copy' });
    else showError(words.notCopied, { subject: 'copy' });
  };
  return (
    <>
      {isFirst && (
        <Button tone="danger" onClick={ask}>
          {words.discard}
        </Button>
      )}
      <div className={`${layout.row} ${css.lesser}`}>
        {children}
        <Button tone="plain" onClick={() => void copy()}>
          {words.copy}
        </Button>
        {!isFirst && (
          <Button tone="plain" onClick={ask}>
            {words.discard}
          </Button>
        )}
      </div>
      {isAsking && (
        <QuestionDialog
          title={words.discardQuestion.title}
          text={question}
          confirmLabel={words.discard}
          cancelLabel={words.discardQuestion.keep}
          confirmTone="danger"
          onConfirm={() => {
            setIsAsking(false);
            discard().catch(() => showError(words.failed));
          }}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
