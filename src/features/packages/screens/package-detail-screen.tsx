import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { useActor } from '#data/use-actor.ts';
import { usePackageView } from '#data/use-packages.ts';
import type { PackageView } from '#domain/overlay.ts';
import { can, factsOf } from '#domain/policy.ts';
import { MarkLink, PaymentBadge, StatusBadge } from '#features/packages/components/badges.tsx';
import {
  PersonCard,
  RecipientCard,
  ShipmentCard,
} from '#features/packages/components/detail-cards.tsx';
import { DispatchCard } from '#features/packages/components/dispatch-card.tsx';
import { NoPackage } from '#features/packages/components/notices.tsx';
import { PaymentCard } from '#features/packages/components/payment-card.tsx';
import { ShareButton } from '#features/packages/components/share-button.tsx';
import { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { packages as words } from '#messages/en/packages.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Button } from '#ui/button.tsx';
import { CardSkeletons } from '#ui/card.tsx';
import { useFocusWhenLost } from '#ui/focus-guard.ts';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';

export function PackageDetailScreen() {
  const { id = '' } = useParams();
  const view = usePackageView(id);
  const select = useSetAtom(selectedPackageAtom);
  useEffect(() => select(id), [id, select]);
  return (
    <Screen
      title={words.detail.title}
      lead={<BackButton label={words.back} to="/" />}
      aside={view && <ShareButton view={view} />}
    >
      {view === undefined && <CardSkeletons label={words.loading} />}
      {view === null && <NoPackage id={id} />}
      {view && <Detail view={view} />}
    </Screen>
  );
}

function Detail({ view }: { view: PackageView }) {
  const badges = useFocusWhenLost(`${view.status} ${view.paymentStatus}`);
  return (
    <>
      <div className={layout.row} ref={badges} tabIndex={-1}>
        <StatusBadge view={view} />
        <PaymentBadge status={view.paymentStatus} />
        <MarkLink view={view} />
      </div>
      <PersonCard
        view={view}
        title={words.detail.sender}
        person={view.sender}
        editLabel={words.detail.editSender}
        readerOnly="Employee"
      />
      <ShipmentCard view={view} />
      <PaymentCard view={view} />
      <DispatchCard view={view} />
      <RecipientCard view={view} />
      <PersonCard
        view={view}
        title={words.detail.courier}
        person={view.courier}
        editLabel={words.detail.editCourier}
        readerOnly="Customer"
      />
      <DetailButtons view={view} />
    </>
  );
}

/** Buttons allowed by the policy that the server enforces. */
function DetailButtons({ view }: { view: PackageView }) {
  const actor = useActor();
  const { isBusy, reject, deliver, remove } = usePackageActions(view, actor);
  const facts = factsOf(view);
  const may = (action: 'reject' | 'deliver') => can(actor, action, facts).isAllowed;
  const isOwner = actor.role === 'Admin' || facts.senderId === actor.id;
  return (
    <div className={layout.apart}>
      {may('deliver') && (
        <Button tone="accent" isWide isBusy={isBusy} onClick={deliver}>
          {words.detail.deliver}
        </Button>
      )}
      {/* Dispatchers have it on the Dispatch card. */}
      {may('reject') && actor.role !== 'Admin' && (
        <Button tone="danger" isBusy={isBusy} onClick={reject}>
          {words.detail.reject}
        </Button>
      )}
      {actor.role !== 'Employee' && isOwner && (
        <Button tone="danger" isBusy={isBusy} onClick={() => remove()}>
          {words.detail.delete}
        </Button>
      )}
    </div>
  );
}
