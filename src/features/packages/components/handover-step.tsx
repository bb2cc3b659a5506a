/** The button of a step that needs a code or a photo, and its sheet, which is loaded for it. */
import { lazy, Suspense } from 'react';
import { useOperations } from '#data/use-outbox.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Actor } from '#domain/policy.ts';
import { isCashDue } from '#features/packages/detail-rules.ts';
import { useDeliveryDraft } from '#features/packages/hooks/use-delivery-draft.ts';
import type { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { Button, type ButtonTone } from '#ui/button.tsx';

const HandoverSheet = lazy(async () => ({
  default: (await import('#features/packages/proof/handover-sheet.tsx')).HandoverSheet,
}));

interface HandoverStepProps {
  view: PackageView;
  actor: Actor;
  actions: ReturnType<typeof usePackageActions>;
  /** 'code': the recipient's; 'return': the sender's; 'none': what is given is welcome. */
  handover: 'none' | 'code' | 'return';
  tone: ButtonTone;
  label: string;
}

export function HandoverStep(props: HandoverStepProps) {
  const { view, actor, actions, handover, tone, label } = props;
  const { draft, change } = useDeliveryDraft(view.id);
  const name = handover === 'return' ? 'finishReturn' : 'deliverPackage';
  const refused = useOperations()?.find(
    (each) => each.targetId === view.id && each.name === name && each.state === 'attention',
  );
  return (
    <>
      <Button tone={tone} isBusy={actions.isBusy} onClick={() => change({ isOpen: handover })}>
        {label}
      </Button>
      {draft.isOpen === handover && (
        <Suspense>
          <HandoverSheet
            view={view}
            handover={handover}
            isCashDue={handover !== 'return' && isCashDue(actor, view)}
            isBusy={actions.isBusy}
            onHandOver={({ proof, isCashCollected }) =>
              handover === 'return'
                ? actions.finishReturnBy(proof.code, refused?.id)
                : actions.deliverWith({ proof, isCashCollected }, refused?.id)
            }
            onClose={() => change({ isOpen: '' })}
          />
        </Suspense>
      )}
    </>
  );
}
