import { useSetAtom } from 'jotai';
import { Link } from 'react-router-dom';
import { useSignedIn } from '#data/services.ts';
import { haveTermsChanged, isConflict } from '#domain/conflict.ts';
import type { Operation } from '#domain/operation.ts';
import { detailsOf } from '#features/outbox/subject.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { deliveryDraftsAtom, noDelivery, withDeliveryDraft } from '#state/delivery-drafts.ts';
import { editDraftKey } from '#state/package-drafts.ts';
import { Button, buttonClass } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import { showError } from '#ui/toast.tsx';
import { CopyAndDiscard } from './copy-and-discard.tsx';

/** Address of the form that corrects a refused operation; null: none. */
function formAddress({ id, name, targetId }: Operation): string | null {
  if (name === 'createPackage') return `/new-package?from=${id}`;
  if (name === 'editPackage') return `/edit-package/${targetId}?from=${id}`;
  return name === 'editProfile' ? `/edit-user/${targetId}?from=${id}` : null;
}

/** A retry would be refused again: correcting comes first. */
const correctable: ReadonlySet<string> = new Set([
  'invalid_fields',
  'email_taken',
  'id_taken',
  'key_reused',
  'too_large',
  'malformed',
]);

/** Another code, or a photo, is needed first. */
const unproven: ReadonlySet<string> = new Set(['wrong_code', 'proof_required', 'code_locked']);

/** Neither a retry nor a correction would help: discarding comes first. */
const unrecoverable: ReadonlySet<string> = new Set([
  'already_assigned',
  'not_found',
  'forbidden',
  'courier_assigned',
  'courier_required',
  'invalid_state',
  'too_late',
  'disputed',
  'bad_picture',
  'picture_too_large',
]);

interface AttentionButtonsProps {
  operation: Operation;
  subject: string | null;
  /** The data that its form needs is loaded. */
  isEditable: boolean;
  /** It depends on another refused operation, which is resolved first. */
  isLeaning: boolean;
}

export function AttentionButtons(props: AttentionButtonsProps) {
  const { operation, subject, isEditable, isLeaning } = props;
  const { engine, userInfo } = useSignedIn();
  const code = operation.lastError?.code ?? '';
  const address = isEditable && !isLeaning ? formAddress(operation) : null;
  const isEditFirst = address !== null && correctable.has(code);
  const isProofFirst = unproven.has(code) && !isLeaning;
  const isProfileFirst = code === 'profile_incomplete';
  const isDiscardFirst = !isLeaning && !isEditFirst && unrecoverable.has(code);
  const isRetryFirst = !isEditFirst && !isProfileFirst && !isDiscardFirst && !isProofFirst;
  // A conflict is resolved per field; a retry would overwrite the other change.
  const isRetried = !isLeaning && !isProofFirst && !(isConflict(operation) && isEditable);
  return (
    <div className={layout.buttons}>
      <CopyAndDiscard
        details={() => detailsOf(operation, subject)}
        discard={() => engine.discard(operation.id)}
        question={words.discardQuestion.text}
        isFirst={isDiscardFirst}
      >
        {isProofFirst && <ProveLink operation={operation} />}
        {isProfileFirst && (
          <Link className={buttonClass('accent')} to={`/edit-user/${userInfo.id}`}>
            {words.profile}
          </Link>
        )}
        {address && (
          <Link className={buttonClass(isEditFirst ? 'primary' : 'quiet')} to={address}>
            {words.edit}
          </Link>
        )}
        {isRetried && (
          <Button
            tone={isRetryFirst ? 'primary' : 'quiet'}
            onClick={() => engine.retry(operation.id).catch(() => showError(words.failed))}
          >
            {haveTermsChanged(operation) ? words.acceptAsIs : words.retry}
          </Button>
        )}
      </CopyAndDiscard>
    </div>
  );
}

/** To the package, where the sheet is open for another code. */
function ProveLink({ operation: { name, targetId } }: Pick<AttentionButtonsProps, 'operation'>) {
  const { userInfo } = useSignedIn();
  const setDrafts = useSetAtom(deliveryDraftsAtom);
  const open = () => {
    const isOpen = name === 'finishReturn' ? 'return' : 'deliver';
    const key = editDraftKey(userInfo.id, targetId);
    setDrafts((drafts) => withDeliveryDraft(drafts, key, { ...noDelivery, isOpen }));
  };
  return (
    <Link className={buttonClass('primary')} to={`/package-detail/${targetId}`} onClick={open}>
      {words.otherCode}
    </Link>
  );
}
