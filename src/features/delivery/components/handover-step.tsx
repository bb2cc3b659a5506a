/** A step that needs a code or a photo: its button, and its sheet, which is loaded for it. */
import { lazy, Suspense } from 'react';
import { useOperations } from '#data/use-outbox.ts';
import { can, factsOf } from '#domain/policy.ts';
import { isCashDue } from '#package-ui/detail-rules.ts';
import { useDeliveryDraft } from '#package-ui/use-delivery-draft.ts';
import type { StepProps } from '#package-ui/use-package-actions.ts';
import { Button, type ButtonTone } from '#ui/button.tsx';

const HandoverSheet = lazy(async () => ({
  default: (await import('#features/delivery/components/handover-sheet.tsx')).HandoverSheet,
}));

interface HandoverButtonProps extends Pick<StepProps, 'view' | 'actions'> {
  step: 'deliver' | 'return';
  tone: ButtonTone;
  label: string;
}

export function HandoverButton({ view, actions, step, tone, label }: HandoverButtonProps) {
  const { open } = useDeliveryDraft(view.id, step);
  return (
    <Button tone={tone} isBusy={actions.isBusy} onClick={open}>
      {label}
    </Button>
  );
}

/** Once a page: the button that opened it may move while it is open. */
export function Handover({ view, actor, actions }: StepProps) {
  const deliver = useDeliveryDraft(view.id, 'deliver');
  const giveBack = useDeliveryDraft(view.id, 'return');
  const operations = useOperations();
  const facts = factsOf(view);
  const isReturn = giveBack.isOpen;
  const isAllowed = can(actor, isReturn ? 'finishReturn' : 'deliver', facts).isAllowed;
  if (!(isReturn || deliver.isOpen) || !isAllowed || facts.courierId !== actor.id) return null;
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
        draft={isReturn ? giveBack : deliver}
      />
    </Suspense>
  );
}
