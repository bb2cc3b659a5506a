import { CloudCheck } from 'lucide-react';
import { useSearchParams } from 'react-router-dom';
import { laneOf, type Operation } from '#domain/operation.ts';
import { groupByLane } from '#domain/package-views.ts';
import { useSignedIn } from '#live/services.ts';
import { useOperations } from '#live/use-outbox.ts';
import { useMirroredPackages, usePackageViews } from '#live/use-packages.ts';
import { useQuarantine } from '#live/use-quarantine.ts';
import { useMirroredUser } from '#live/use-users.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button } from '#ui/button.tsx';
import { Notice, Skeletons } from '#ui/card.tsx';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { useNow } from './age.ts';
import { OperationItem } from './operation-card.tsx';
import { QuarantineList } from './quarantine-card.tsx';
import { StorageNote } from './storage-note.tsx';
import { words } from './words.ts';

/** What needs attention first, then in the order of sending. */
function inOrder(operations: readonly Operation[]): Operation[] {
  const rank = ({ state }: Operation) => (state === 'attention' ? 0 : 1);
  return [...operations].sort((a, b) => rank(a) - rank(b) || a.seq - b.seq);
}

/**
 * Every operation that the server has not confirmed: DESIGN.md section 5. `?about=` names the
 * package or user whose refused operation is to be in sight.
 */
export function OutboxScreen() {
  const operations = useOperations();
  const { engine, userInfo } = useSignedIn();
  const mirrored = useMirroredPackages(operations?.map(({ targetId }) => targetId) ?? []);
  const self = useMirroredUser(userInfo.id);
  const views = usePackageViews();
  const viewable = new Set(views?.map(({ id }) => id));
  const quarantine = useQuarantine();
  const nowMs = useNow();
  const [query] = useSearchParams();
  const isLoading = operations === undefined || mirrored === undefined || views === undefined;
  const shown = isLoading ? [] : inOrder(operations);
  const sought = shown.find(
    ({ state, targetId }) => state === 'attention' && targetId === query.get('about'),
  );
  const lanes = groupByLane(shown);
  const hasWaiting = shown.some(({ state }) => state === 'waiting');
  return (
    <Screen title={words.title} lead={<BackButton label={words.back} to="/account" />}>
      {isLoading && <Skeletons label={words.loading} />}
      {!isLoading && shown.length === 0 && quarantine?.length === 0 && (
        <Notice icon={<CloudCheck aria-hidden size={40} />} text={words.empty} />
      )}
      {shown.length > 0 && (
        <>
          <p className={layout.soft}>{words.intro}</p>
          {hasWaiting && (
            <Button tone="quiet" onClick={() => engine.request('retry')}>
              {words.sendNow}
            </Button>
          )}
          <ul className={layout.stack}>
            {shown.map((operation) => (
              <OperationItem
                key={operation.id}
                className={layout.landing}
                operation={operation}
                operations={
                  operation.name === 'editProfile' ? shown : (lanes.get(laneOf(operation)) ?? [])
                }
                current={
                  operation.name === 'editProfile'
                    ? (self ?? null)
                    : (mirrored?.get(operation.targetId) ?? null)
                }
                isViewable={viewable.has(operation.targetId)}
                isSought={operation === sought}
                nowMs={nowMs}
              />
            ))}
          </ul>
        </>
      )}
      <QuarantineList />
      <StorageNote />
    </Screen>
  );
}
