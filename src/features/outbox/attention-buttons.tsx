import { useState } from 'react';
import { Link } from 'react-router-dom';
import { isConflict, isOtherBargain } from '#domain/conflict.ts';
import type { Operation } from '#domain/operation.ts';
import { useSignedIn } from '#live/services.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';
import { detailsOf } from './subject.ts';
import { words } from './words.ts';

/** Where the form is that mends a refused operation; null: it has none. */
function formAddress({ id, name, targetId }: Operation): string | null {
  if (name === 'createPackage') return `/new-package?from=${id}`;
  if (name === 'editPackage') return `/edit-package/${targetId}?from=${id}`;
  return name === 'editProfile' ? `/edit-user/${targetId}?from=${id}` : null;
}

/** Refusals that the same request meets again, so that a form is the first thing to offer. */
const mendable: ReadonlySet<string> = new Set([
  'invalid_fields',
  'email_taken',
  'id_taken',
  'key_reused',
  'too_large',
  'malformed',
]);

/** Refusals that stand however often the same is asked: what is left is to let it go. */
const final: ReadonlySet<string> = new Set([
  'already_assigned',
  'not_found',
  'forbidden',
  'courier_assigned',
  'courier_required',
  'invalid_state',
]);

interface AttentionButtonsProps {
  operation: Operation;
  subject: string | null;
  /** What its form needs is here. */
  isEditable: boolean;
  /** It goes where another one goes, which is decided on first. */
  isLeaning: boolean;
}

/** The choices that a refused operation leaves: DESIGN.md section 5, guarantee 6. */
export function AttentionButtons(props: AttentionButtonsProps) {
  const { operation, subject, isEditable, isLeaning } = props;
  const { engine, userInfo } = useSignedIn();
  const [isAsking, setIsAsking] = useState(false);
  const attempt = (work: Promise<unknown>) => {
    work.catch(() => showError(words.failed));
  };
  const copy = async () => {
    try {
      // Missing where the page is not served securely, which throws as a refusal does.
      await navigator.clipboard.writeText(detailsOf(operation, subject));
      showSuccess(words.copied, { subject: 'copy' });
    } catch {
      showError(words.notCopied, { subject: 'copy' });
    }
  };
  const code = operation.lastError?.code ?? '';
  const address = isEditable && !isLeaning ? formAddress(operation) : null;
  const isEditFirst = address !== null && mendable.has(code);
  const isProfileFirst = code === 'profile_incomplete';
  const isDiscardFirst = !isLeaning && !isEditFirst && final.has(code);
  const isRetryFirst = !isEditFirst && !isProfileFirst && !isDiscardFirst;
  // A conflict is chosen field by field; to try it anew would run over what the other did.
  const isRetried = !isLeaning && !(isConflict(operation) && isEditable);
  return (
    <div className={layout.stack}>
      {isDiscardFirst && (
        <Button isWide onClick={() => setIsAsking(true)}>
          {words.discard}
        </Button>
      )}
      {isProfileFirst && (
        <Link className={buttonClass('accent', true)} to={`/edit-user/${userInfo.id}`}>
          {words.profile}
        </Link>
      )}
      {address && (
        <Link className={buttonClass(isEditFirst ? 'primary' : 'quiet', true)} to={address}>
          {words.edit}
        </Link>
      )}
      {isRetried && (
        <Button
          isWide
          tone={isRetryFirst ? 'primary' : 'quiet'}
          onClick={() => attempt(engine.retry(operation.id))}
        >
          {isOtherBargain(operation) ? words.acceptAsIs : words.retry}
        </Button>
      )}
      <div className={layout.actions}>
        <Button tone="quiet" onClick={() => void copy()}>
          {words.copy}
        </Button>
        {!isDiscardFirst && (
          <Button tone="danger" onClick={() => setIsAsking(true)}>
            {words.discard}
          </Button>
        )}
      </div>
      {isAsking && (
        <QuestionDialog
          title={words.discardQuestion.title}
          text={words.discardQuestion.text}
          confirmLabel={words.discard}
          cancelLabel={words.discardQuestion.keep}
          confirmTone="danger"
          onConfirm={() => {
            setIsAsking(false);
            attempt(engine.discard(operation.id));
          }}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
