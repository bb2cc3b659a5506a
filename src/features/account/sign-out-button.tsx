import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiFailure } from '#api/failure.ts';
import { useServices } from '#live/services.ts';
import { useIsOutboxRead, useOutboxCounts } from '#live/use-outbox.ts';
import { Button } from '#ui/button.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import { showError, showSuccess } from '#ui/toast.tsx';
import { signOutText, words } from './words.ts';

function failureSentence(error: unknown): string {
  if (error instanceof ApiFailure && error.failure.kind === 'http' && error.failure.message) {
    return error.failure.message;
  }
  return words.signOut.failure;
}

/** Logs out; with operations left it says first how many there are of which kind, and that they are kept. */
export function SignOutButton() {
  const { session } = useServices();
  const counts = useOutboxCounts();
  // Who logs out in the very moment of opening is warned of what waits all the same.
  const isOutboxRead = useIsOutboxRead();
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  const [isAsking, setIsAsking] = useState(false);

  const signOut = async () => {
    setIsAsking(false);
    setIsBusy(true);
    try {
      await session.signOut();
      showSuccess(words.signOut.success);
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
          text={signOutText(counts)}
          confirmLabel={words.signOut.label}
          cancelLabel={words.signOut.stay}
          confirmTone="danger"
          onConfirm={() => void signOut()}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
