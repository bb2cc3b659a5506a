import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiFailure } from '#api/failure.ts';
import { useServices } from '#data/services.ts';
import { useIsOutboxRead, useOutboxCounts } from '#data/use-outbox.ts';
import { account as words } from '#messages/en/account.ts';
import { Button } from '#ui/button.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import { showError, showSuccess } from '#ui/toast.tsx';

const toastMs = 5000;

function failureSentence(error: unknown): string {
  if (error instanceof ApiFailure && error.failure.kind === 'http' && error.failure.message) {
    return error.failure.message;
  }
  return words.signOut.failure;
}

/** Logs out; with unsent operations it first shows their number by kind and that they are kept. */
export function SignOutButton() {
  const { session } = useServices();
  const counts = useOutboxCounts();
  // The button waits for it, so that an immediate log-out warns of unsent changes, too.
  const isOutboxRead = useIsOutboxRead();
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [isAsking, setIsAsking] = useState(false);

  const signOut = async () => {
    setIsAsking(false);
    setIsBusy(true);
    try {
      const isEverywhere = await session.signOut();
      if (isEverywhere) showSuccess(words.signOut.success);
      else showSuccess(words.signOut.here, { durationMs: toastMs });
      navigate('/');
    } catch (error) {
      showError(failureSentence(error));
      setIsBusy(false);
    }
  };

  const press = () => {
    if (counts.waiting + counts.attention > 0) setIsAsking(true);
    else void signOut();
  };

  return (
    <>
      <Button tone="danger" isWide isBusy={isBusy || !isOutboxRead} onClick={press}>
        {isBusy ? words.signOut.busy : words.signOut.label}
      </Button>
      {isAsking && (
        <QuestionDialog
          title={words.signOut.questionTitle}
          text={words.signOut.text(counts)}
          confirmLabel={words.signOut.label}
          cancelLabel={words.signOut.stay}
          cancelTone="primary"
          confirmTone="danger"
          onConfirm={() => void signOut()}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
