import { useSetAtom } from 'jotai';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ApiFailure } from '#api/failure.ts';
import { useServices } from '#data/services.ts';
import { useIsOutboxRead, useOutboxCounts } from '#data/use-outbox.ts';
import { useUnsentPictures } from '#data/use-proofs.ts';
import { account as words } from '#messages/en/account.ts';
import { countFormsAtom } from '#state/count-forms.ts';
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

interface SignOutButtonProps {
  /** In the row of this device, in a list of all. */
  isInRow?: boolean;
}

/**
 * Logs out. First asks where something would be deleted that the server does not have, and shows what
 * is queued, which is kept.
 */
export function SignOutButton({ isInRow = false }: SignOutButtonProps) {
  const { session } = useServices();
  const counts = useOutboxCounts();
  // The button waits for it, so that an immediate log-out warns of unsent changes, too.
  const isOutboxRead = useIsOutboxRead();
  const pictures = useUnsentPictures();
  const countForms = useSetAtom(countFormsAtom);
  const { deletes } = words.signOut;
  const navigate = useNavigate();
  const [isBusy, setIsBusy] = useState(false);
  /** Forms that would be deleted; null: not asking. */
  const [forms, setForms] = useState<number | null>(null);

  const signOut = async () => {
    setForms(null);
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

  const unsent = { photo: 0, signature: 0, ...pictures, form: forms ?? 0 };
  const isDeleting = unsent.photo + unsent.signature + unsent.form > 0;
  const press = () => {
    const form = countForms();
    const others = unsent.photo + unsent.signature + counts.waiting + counts.attention;
    if (form + others > 0) setForms(form);
    else void signOut();
  };

  return (
    <>
      <Button
        tone={isInRow ? 'quiet' : 'danger'}
        isWide={!isInRow}
        isBusy={isBusy || !isOutboxRead || pictures === undefined}
        onClick={press}
      >
        {isBusy ? words.signOut.busy : words.signOut.label}
      </Button>
      {forms !== null && (
        <QuestionDialog
          title={isDeleting ? deletes.title(unsent) : words.signOut.questionTitle}
          text={[isDeleting && deletes.text, words.signOut.text(counts)].filter(Boolean).join(' ')}
          confirmLabel={isDeleting ? deletes.confirm : words.signOut.label}
          cancelLabel={isDeleting ? deletes.stay : words.signOut.stay}
          cancelTone="primary"
          confirmTone="danger"
          onConfirm={() => void signOut()}
          onCancel={() => setForms(null)}
        />
      )}
    </>
  );
}
