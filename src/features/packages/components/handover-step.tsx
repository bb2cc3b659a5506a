/** A step that needs a code or a photo: its button, and its sheet, which is loaded for it. */
import { lazy, Suspense } from 'react';
import { useOperations } from '#data/use-outbox.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { isCashDue } from '#features/packages/detail-rules.ts';
import { useDeliveryDraft } from '#features/packages/hooks/use-delivery-draft.ts';
import type { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { Button, type ButtonTone } from '#ui/button.tsx';

const HandoverSheet = lazy(async () => ({
  default: (await import('#features/packages/proof/handover-sheet.tsx')).HandoverSheet,
}));

interface Props {
  view: PackageView;
  actor: Actor;
  actions: ReturnType<typeof usePackageActions>;
}

interface HandoverButtonProps extends Pick<Props, 'view' | 'actions'> {
  step: 'deliver' | 'return';
  tone: ButtonTone;
  label: string;
}

export function HandoverButton({ view, actions, step, tone, label }: HandoverButtonProps) {
  const { change } = useDeliveryDraft(view.id);
  return (
    <Button tone={tone} isBusy={actions.isBusy} onClick={() => change({ isOpen: step })}>
      {label}
    </Button>
  );
}

/** Once a page: the button that opened it may move while it is open. */
export function Handover({ view, actor, actions }: Props) {
  const { draft, change } = useDeliveryDraft(view.id);
  const operations = useOperations();
  const facts = factsOf(view);
  const isReturn = draft.isOpen === 'return';
  const isOpen = isReturn || draft.isOpen === 'deliver';
  const isAllowed = can(actor, isReturn ? 'finishReturn' : 'deliver', facts).isAllowed;
  if (!isOpen || !isAllowed || facts.courierId !== actor.id) return null;
  const name = isReturn ? 'finishReturn' : 'deliverPackage';
  const refused = operations?.find(
    (each) => each.targetId === view.id && each.name === name && each.state === 'attention',
  );
  return (
    <Suspense>
      <HandoverSheet
        view={view}
        handover={isReturn ? 'return' : view.handover}
        isCashDue={!isReturn && isCashDue(actor, view)}
        isBusy={actions.isBusy}
        onHandOver={({ proof, isCashCollected }) =>
          isReturn
            ? actions.finishReturnBy(proof.code, refused?.id)
            : actions.deliverWith({ proof, isCashCollected }, refused?.id)
        }
        onClose={() => change({ isOpen: '' })}
      />
    </Suspense>
  );
}
