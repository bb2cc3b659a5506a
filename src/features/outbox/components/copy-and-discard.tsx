import { type ReactNode, useState } from 'react';
import { outbox as words } from '#messages/en/outbox.ts';
import { Button } from '#ui/button.tsx';
import { copyText } from '#ui/copy-button.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import { showError, showSuccess } from '#ui/toast.tsx';

interface CopyAndDiscardProps {
  details(): string;
  discard(): Promise<unknown>;
  question: string;
  isFirst?: boolean;
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
      {children}
      <Button tone="quiet" onClick={() => void copy()}>
        {words.copy}
      </Button>
      {!isFirst && (
        <Button tone="danger" onClick={ask}>
          {words.discard}
        </Button>
      )}
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
