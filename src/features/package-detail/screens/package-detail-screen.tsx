import { useSetAtom } from 'jotai';
import { useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { useDeskParts } from '#data/desk-parts.ts';
import { useActor } from '#data/use-actor.ts';
import { usePackageView } from '#data/use-packages.ts';
import type { PackageView } from '#domain/overlay.ts';
import {
  ApartActions,
  DetailBar,
  hasBar,
} from '#features/package-detail/components/detail-actions.tsx';
import {
  PersonCard,
  RecipientCard,
  ShipmentCard,
} from '#features/package-detail/components/detail-cards.tsx';
import { DetailHead } from '#features/package-detail/components/detail-head.tsx';
import { ReturnCode } from '#features/package-detail/components/recipient-code.tsx';
import { RecipientLink } from '#features/package-detail/components/recipient-link.tsx';
import { ShareButton } from '#features/package-detail/components/share-button.tsx';
import { Timeline } from '#features/package-detail/components/timeline.tsx';
import type { DetailParts } from '#features/package-detail/detail-parts.ts';
import { packageDetail } from '#messages/en/package-detail.ts';
import { packages as words } from '#messages/en/packages.ts';
import {
  allowedTo,
  leadsWithProgress,
  leadsWithStop,
  primaryOf,
} from '#package-ui/detail-rules.ts';
import { NoPackage } from '#package-ui/notices.tsx';
import { useDispatch } from '#package-ui/use-dispatch.ts';
import { usePackageActions } from '#package-ui/use-package-actions.ts';
import { usePayPackage } from '#package-ui/use-pay-package.ts';
import { createdPackageAtom, selectedPackageAtom } from '#state/package-ui.ts';
import { BackButton } from '#ui/back-button.tsx';
import { Card, CardSkeletons } from '#ui/card.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import { Screen } from '#ui/screen.tsx';
import layout from '#ui/stack.module.css';
import { useWakeLock } from '#ui/use-wake-lock.ts';
import css from './package-detail-screen.module.css';

const lead = <BackButton label={words.back} to="/" />;

interface Props {
  parts: DetailParts;
}

export function PackageDetailScreen({ parts }: Props) {
  const { id = '' } = useParams();
  const view = usePackageView(id);
  const select = useSetAtom(selectedPackageAtom);
  const setCreated = useSetAtom(createdPackageAtom);
  useEffect(() => {
    select(id);
    setCreated('');
  }, [id, select, setCreated]);
  if (view) return <Detail key={id} view={view} parts={parts} />;
  return (
    <Screen title={words.detail.title} lead={lead}>
      {view === undefined ? <CardSkeletons label={words.loading} /> : <NoPackage id={id} />}
    </Screen>
  );
}

function Detail({ view, parts }: Props & { view: PackageView }) {
  const { DeliverySteps, DispatchCard, EndCard, Handover, PaymentCard } = parts;
  const actor = useActor();
  const actions = usePackageActions(view, actor);
  const payment = usePayPackage(view.id);
  const dispatching = useDispatch(view);
  const isCourier = view.courier?.id === actor.id;
  // A phone is read at the door, with both hands full.
  useWakeLock(isCourier && view.status === 'in-transit');
  // Above the cards, whose own places for a lost focus come first.
  const primary = primaryOf(actor, view);
  const badges = useFocusOn(`${primary} ${view.paymentStatus} ${allowedTo(actor, view)}`, {
    isRescue: true,
  });
  const MapCard = useDeskParts()?.MapCard;
  const courier = (
    <PersonCard
      view={view}
      title={words.detail.courier}
      person={view.courier}
      editLabel={words.detail.editCourier}
      readerOnly="Customer"
    />
  );
  const apart = <ApartActions view={view} actor={actor} actions={actions} parts={parts} />;
  const isDispatcher = actor.role === 'Admin';
  const isCourierFirst = isDispatcher || (view.courier !== null && !isCourier);
  const head = <DetailHead view={view} actor={actor} badges={badges} />;
  const people = (
    <div className={`${layout.surface} ${css.people}`}>
      <RecipientCard view={view} />
      <PersonCard
        view={view}
        title={words.detail.sender}
        person={view.sender}
        editLabel={words.detail.editSender}
        readerOnly="Employee"
      />
      {!isCourierFirst && courier}
    </div>
  );
  const isFollowed = leadsWithProgress(actor, view);
  // Asked for at the door: it is looked up while the courier is on the way.
  const isCodeFirst = isFollowed && view.status === 'in-transit' && view.dropoffCode !== null;
  const link = (
    <RecipientLink view={view} isSendInBar={primary === 'sendLink'} isCodeFirst={isCodeFirst} />
  );
  return (
    <Screen
      title={words.detail.title}
      lead={lead}
      aside={<ShareButton view={view} />}
      actions={
        hasBar(actor, view) && (
          <DetailBar
            view={view}
            actor={actor}
            actions={actions}
            payment={payment}
            dispatching={dispatching}
            parts={parts}
          />
        )
      }
    >
      {isDispatcher && head}
      <div className={css.columns}>
        <div className={css.column}>
          {!isDispatcher && head}
          <DeliverySteps view={view} actor={actor} actions={actions} />
          <EndCard view={view} actions={actions} />
          <ReturnCode view={view} />
          {isCodeFirst && link}
          {MapCard && <MapCard view={view} />}
          {isCourierFirst && courier}
          {/* Here the head names the next step instead. */}
          {((isCourier && leadsWithStop(actor, view)) || isFollowed) && (
            <Card title={packageDetail.timeline.label}>
              <Timeline view={view} />
            </Card>
          )}
          {isDispatcher && people}
          <ShipmentCard view={view} />
          {!isDispatcher && !isCodeFirst && link}
        </div>
        <div className={css.column}>
          <PaymentCard view={view} payment={payment} isPayInBar={primary === 'pay'} />
          {isDispatcher ? link : people}
          {isDispatcher ? (
            <DispatchCard view={view} dispatching={dispatching}>
              {apart}
            </DispatchCard>
          ) : (
            apart
          )}
          <Handover view={view} actor={actor} actions={actions} />
        </div>
      </div>
    </Screen>
  );
}
