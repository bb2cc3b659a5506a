import { CloudCheck } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Operation } from '#domain/operation.ts';
import { useSignedIn } from '#live/services.ts';
import { useOperations } from '#live/use-outbox.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, buttonClass } from '#ui/button.tsx';
import { Card, Fact, Facts, Notice, Skeletons } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { showError } from '#ui/toast.tsx';
import { words } from './words.ts';

/** Every operation that the server has not confirmed, oldest first: DESIGN.md section 5. */
export function OutboxScreen() {
  const operations = useOperations();
  const { engine } = useSignedIn();
  const hasWaiting = operations?.some(({ state }) => state === 'waiting') ?? false;
  return (
    <Screen title={words.title} lead={<BackButton label={words.back} to="/account" />}>
      {operations === undefined && <Skeletons label={words.loading} />}
      {operations?.length === 0 && (
        <Notice icon={<CloudCheck aria-hidden size={40} />} text={words.empty} />
      )}
      {operations && operations.length > 0 && (
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
                <OperationCard operation={operation} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Screen>
  );
}

const moment = new Intl.DateTimeFormat('en-NG', { dateStyle: 'medium', timeStyle: 'short' });

function OperationCard({ operation }: { operation: Operation }) {
  const needsAttention = operation.state === 'attention';
  const isOfPackage = operation.name !== 'editProfile';
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
        <Fact label={words.made}>{moment.format(new Date(operation.createdAt))}</Fact>
        <Fact label={words.tries}>{operation.tries}</Fact>
        {operation.lastError && <Fact label={words.lastError}>{operation.lastError.message}</Fact>}
      </Facts>
      <div className={layout.actions}>
        {isOfPackage && (
          <Link className={buttonClass('plain')} to={`/package-detail/${operation.targetId}`}>
            {words.view}
          </Link>
        )}
        {needsAttention && <AttentionButtons operationId={operation.id} />}
      </div>
    </Card>
  );
}

function AttentionButtons({ operationId }: { operationId: string }) {
  const { engine } = useSignedIn();
  const [isAsking, setIsAsking] = useState(false);
  const attempt = (work: Promise<void>) => {
    work.catch(() => showError(words.failed));
  };
  return (
    <>
      <Button tone="danger" onClick={() => setIsAsking(true)}>
        {words.discard}
      </Button>
      <Button onClick={() => attempt(engine.retry(operationId))}>{words.retry}</Button>
      {isAsking && (
        <QuestionDialog
          title={words.discardQuestion.title}
          text={words.discardQuestion.text}
          confirmLabel={words.discard}
          cancelLabel={words.discardQuestion.keep}
          confirmTone="danger"
          onConfirm={() => {
            setIsAsking(false);
            attempt(engine.discard(operationId));
          }}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
