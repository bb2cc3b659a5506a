import { useSetAtom } from 'jotai';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useSignedIn } from '#data/services.ts';
import { haveTermsChanged } from '#domain/conflict.ts';
import type { Operation } from '#domain/operation.ts';
import { advisedFor } from '#features/outbox/advised.ts';
import { detailsOf } from '#features/outbox/subject.ts';
import { outbox as words } from '#messages/en/outbox.ts';
import { deliveryDraftsAtom, withoutDraft, withSheet } from '#state/delivery-drafts.ts';
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

interface AttentionButtonsProps {
  operation: Operation;
  subject: string | null;
  /** The data that its form needs is loaded. */
  isEditable: boolean;
  /** It depends on another refused operation, which is resolved first. */
  isLeaning: boolean;
  /** A link beside the lesser actions; a package that another courier has needs none. */
  children: ReactNode;
}

/** The advised action as the only button; other actions below it. */
export function AttentionButtons(props: AttentionButtonsProps) {
  const { operation, subject, isLeaning, children } = props;
  const { engine, userInfo } = useSignedIn();
  const address = props.isEditable && !isLeaning ? formAddress(operation) : null;
  const { main, isRetried } = advisedFor(operation, { isEditable: address !== null, isLeaning });
  const toneOf = (action: typeof main) => (main === action ? 'primary' : 'plain');
  const edit = address && (
    <Link className={buttonClass(toneOf('edit'))} to={address}>
      {words.edit}
    </Link>
  );
  const retry = isRetried && (
    <Button
      tone={toneOf('retry')}
      onClick={() => engine.retry(operation.id).catch(() => showError(words.failed))}
    >
      {haveTermsChanged(operation) ? words.acceptAsIs : words.retry}
    </Button>
  );
  return (
    <div className={layout.stack}>
      {main === 'another' && (
        <Link className={buttonClass()} to="/delivery/pending">
          {words.chooseAnother}
        </Link>
      )}
      {main === 'edit' && edit}
      {main === 'retry' && retry}
      {main === 'prove' && <ProveLink operation={operation} />}
      {main === 'profile' && (
        <Link className={buttonClass()} to={`/edit-user/${userInfo.id}`}>
          {words.profile}
        </Link>
      )}
      {main === 'topUp' && (
        <Link className={buttonClass()} to="/deposit">
          {words.topUp}
        </Link>
      )}
      <CopyAndDiscard
        details={() => detailsOf(operation, subject)}
        discard={() => engine.discard(operation.id)}
        question={words.discardQuestion.text}
        isFirst={main === 'discard'}
      >
        {main !== 'edit' && edit}
        {main !== 'retry' && retry}
        {main !== 'another' && children}
      </CopyAndDiscard>
    </div>
  );
}

/** To the package, where the sheet is open for another code. */
function ProveLink({ operation: { name, targetId } }: Pick<AttentionButtonsProps, 'operation'>) {
  const { userInfo } = useSignedIn();
  const setDrafts = useSetAtom(deliveryDraftsAtom);
  const open = () => {
    const sheet = name === 'finishReturn' ? 'return' : 'deliver';
    const place = { userId: userInfo.id, packageId: targetId, sheet } as const;
    setDrafts((drafts) => withSheet(withoutDraft(drafts, place), place, true));
  };
  return (
    <Link className={buttonClass('primary')} to={`/package-detail/${targetId}`} onClick={open}>
      {words.otherCode}
    </Link>
  );
}
