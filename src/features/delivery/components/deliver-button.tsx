import { useState } from 'react';
import { useDraftProofs, usePicturesInMaking, useReadDraftProofs } from '#data/use-proofs.ts';
import { formatNaira } from '#domain/money.ts';
import { packageDetail as words } from '#messages/en/package-detail.ts';
import { packages } from '#messages/en/packages.ts';
import { isCashDue } from '#package-ui/detail-rules.ts';
import { useDeliveryDraft } from '#package-ui/use-delivery-draft.ts';
import type { StepProps } from '#package-ui/use-package-actions.ts';
import { Button, type ButtonTone } from '#ui/button.tsx';
import { PanelDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { HandoverButton } from './handover-step.tsx';

/** Both answers deliver; the package may be closed by another in the meantime. */
export function DeliverButton(props: StepProps & { tone?: ButtonTone }) {
  const { view, actor, tone = 'accent' } = props;
  const { isBusy, deliver } = props.actions;
  const [isAsking, setIsAsking] = useState(false);
  const amount = formatNaira(view.priceOfferKobo);
  const isCourier = view.courier?.id === actor.id;
  const { draft, open } = useDeliveryDraft(view.id, 'deliver');
  const pictures = useDraftProofs(view.id);
  const { making } = usePicturesInMaking(view.id);
  const readPictures = useReadDraftProofs(view.id);
  const isProofBegun = Boolean(
    pictures?.length || making.length || draft.relation || draft.recipientName,
  );
  const press = async () => {
    // Tapped before they were read.
    const isFound = isCourier && pictures === undefined && (await readPictures()).length > 0;
    if (isFound) open();
    else if (isCashDue(actor, view)) setIsAsking(true);
    else deliver();
  };
  const answer = (isCollected: boolean) => {
    setIsAsking(false);
    deliver(isCollected);
  };
  const { cash } = words;
  // Discards a proof that was started and closed.
  if (isCourier && (view.handover === 'code' || isProofBegun)) {
    return <HandoverButton {...props} step="deliver" tone={tone} label={packages.detail.deliver} />;
  }
  return (
    <>
      <Button tone={tone} isBusy={isBusy} onClick={() => void press()}>
        {packages.detail.deliver}
      </Button>
      {isAsking && (
        <PanelDialog
          title={isCourier ? cash.collect(amount) : packages.deliverQuestion.title}
          onClose={() => setIsAsking(false)}
        >
          <p>{isCourier ? cash.byCourier(view.recipientName) : cash.byOthers}</p>
          <div className={layout.stack}>
            <Button tone="accent" isWide onClick={() => answer(true)}>
              {isCourier ? cash.collected : cash.paid(amount)}
            </Button>
            <Button tone="quiet" isWide onClick={() => answer(false)}>
              {isCourier ? cash.notCollected : cash.notPaid}
            </Button>
            <Button tone="plain" isWide onClick={() => setIsAsking(false)}>
              {packages.cancel}
            </Button>
          </div>
        </PanelDialog>
      )}
    </>
  );
}
