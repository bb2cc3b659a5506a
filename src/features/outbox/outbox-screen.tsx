import { CloudCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Operation } from '#domain/operation.ts';
import type { Package } from '#domain/package.ts';
import { useSignedIn } from '#live/services.ts';
import { useOperations } from '#live/use-outbox.ts';
import { useMirroredPackages, usePackageViews } from '#live/use-packages.ts';
import { useQuarantine } from '#live/use-quarantine.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card, Fact, Facts, Notice, Skeletons } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';
import { QuarantineList } from './quarantine-card.tsx';
import { StorageNote } from './storage-note.tsx';
import { detailsOf, subjectOf } from './subject.ts';
import { words } from './words.ts';

/** Every operation that the server has not confirmed, oldest first: DESIGN.md section 5. */
export function OutboxScreen() {
  const operations = useOperations();
  const { engine } = useSignedIn();
  const mirrored = useMirroredPackages(operations?.map(({ targetId }) => targetId) ?? []);
  const views = usePackageViews();
  const viewable = new Set(views?.map(({ id }) => id));
  const quarantine = useQuarantine();
  const isLoading = operations === undefined || mirrored === undefined || views === undefined;
  const hasWaiting = operations?.some(({ state }) => state === 'waiting') ?? false;
  return (
    <Screen title={words.title} lead={<BackButton label={words.back} to="/account" />}>
      {isLoading && <Skeletons label={words.loading} />}
      {!isLoading && operations.length === 0 && quarantine?.length === 0 && (
        <Notice icon={<CloudCheck aria-hidden size={40} />} text={words.empty} />
      )}
      {!isLoading && operations.length > 0 && (
        <>
          <p className={layout.soft}>{words.intro}</p>
          {hasWaiting && (
            <Button tone="quiet" onClick={() => engine.request('retry')}>
              {words.sendNow}
            </Button>
          )}
          <ul className={layout.stack}>
            {operations.map((operation) => (
              <li key={operation.id}>
                <OperationCard
                  operation={operation}
                  row={mirrored.get(operation.targetId) ?? null}
                  isViewable={viewable.has(operation.targetId)}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <QuarantineList />
      <StorageNote />
    </Screen>
  );
}

const moment = new Intl.DateTimeFormat('en-NG', { dateStyle: 'medium', timeStyle: 'short' });

interface OperationCardProps {
  operation: Operation;
  /** The package as the server last said it; null: not here. */
  row: Package | null;
  /** There is something to see of the package. */
  isViewable: boolean;
}

function OperationCard({ operation, row, isViewable }: OperationCardProps) {
  const needsAttention = operation.state === 'attention';
  const subject = operation.name === 'editProfile' ? null : subjectOf(operation, row);
  return (
    <Card
      title={words.names[operation.name]}
      aside={
        <Badge tone={needsAttention ? 'bad' : 'neutral'}>
          {needsAttention ? words.attention : words.waiting}
        </Badge>
      }
    >
      <Facts>
        {subject && <Fact label={words.package}>{subject}</Fact>}
        <Fact label={words.made}>{moment.format(new Date(operation.createdAt))}</Fact>
        <Fact label={words.tries}>{operation.tries}</Fact>
        {operation.lastError && <Fact label={words.lastError}>{operation.lastError.message}</Fact>}
      </Facts>
      {needsAttention && <AttentionButtons operation={operation} subject={subject} />}
      {isViewable && (
        <Link className={buttonClass('plain')} to={`/package-detail/${operation.targetId}`}>
          {words.view}
        </Link>
      )}
    </Card>
  );
}

interface AttentionButtonsProps {
  operation: Operation;
  subject: string | null;
}

function AttentionButtons({ operation, subject }: AttentionButtonsProps) {
  const { engine } = useSignedIn();
  const [isAsking, setIsAsking] = useState(false);
  const attempt = (work: Promise<void>) => {
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
  return (
    <div className={layout.stack}>
      <Button isWide onClick={() => attempt(engine.retry(operation.id))}>
        {words.retry}
      </Button>
      <div className={layout.actions}>
        <Button tone="quiet" onClick={() => void copy()}>
          {words.copy}
        </Button>
        <Button tone="danger" onClick={() => setIsAsking(true)}>
          {words.discard}
        </Button>
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
