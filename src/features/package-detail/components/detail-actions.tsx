/** A reader's actions on a package: the bar at the thumb, and the destructive ones apart. */
import { useSetAtom } from 'jotai';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useOwnUser } from '#data/use-users.ts';
import type { PackageView } from '#domain/overlay.ts';
import { isReturnClaimed } from '#domain/package-state.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { nextStop } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import type { DetailParts } from '#features/package-detail/detail-parts.ts';
import { deliverySteps as steps } from '#messages/en/delivery-steps.ts';
import { disputes } from '#messages/en/disputes.ts';
import { packageDetail as words } from '#messages/en/package-detail.ts';
import { packages } from '#messages/en/packages.ts';
import { CallLink, contactAt, NavigateLink } from '#package-ui/contact-buttons.tsx';
import { DeleteButton } from '#package-ui/delete-button.tsx';
import { type ApartStep, canCallCourier, primaryOf, stepsOf } from '#package-ui/detail-rules.ts';
import type { Dispatching } from '#package-ui/use-dispatch.ts';
import type { StepProps } from '#package-ui/use-package-actions.ts';
import type { Payment } from '#package-ui/use-pay-package.ts';
import { againPath } from '#package-ui/wizard-path.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import { Button, type ButtonTone, buttonClass } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import { SendLinkButton } from './recipient-link.tsx';

interface Props extends StepProps {
  parts: DetailParts;
}

function AcceptButton({ view, actor, actions: { isBusy, accept } }: StepProps) {
  const self = useOwnUser();
  const decision = can(actor, 'accept', factsOf(view));
  return (
    <Button
      tone="accent"
      isBusy={isBusy}
      disabled={!self || (!decision.isAllowed && decision.code !== 'profile_incomplete')}
      onClick={() => self && accept(self)}
    >
      {packages.accept}
    </Button>
  );
}

interface BarProps extends Props {
  payment: Payment;
  dispatching: Dispatching;
}

/** Whether there is anything for the bar: one of its own for nothing would be an empty strip. */
export function hasBar(actor: Actor, view: PackageView): boolean {
  return primaryOf(actor, view) !== 'none' || canCallCourier(actor, view);
}

/** The primary action, with a call and a route for it. */
export function DetailBar(props: BarProps) {
  const { view, actor, payment, dispatching, parts } = props;
  const { AssignButton, DeliverButton, HandoverButton, PayButton, ReturnButton } = parts;
  const primary = primaryOf(actor, view);
  const select = useSetAtom(selectedPackageAtom);
  const { courier } = view;
  const isCourier = courier?.id === actor.id;
  const stop = nextStop(view);
  const step = (name: 'pickUp' | 'arrive' | 'finishReturn') => (
    <Button tone="accent" isBusy={props.actions.isBusy} onClick={props.actions.record(name)}>
      {name === 'arrive' && view.attempts > 0 ? steps.arriveAgain : steps[name]}
    </Button>
  );
  const again = (tone: ButtonTone) => (
    <Link className={buttonClass(tone)} to={againPath(view.id)}>
      {words.sendAgain}
    </Link>
  );
  const primaries: Record<typeof primary, () => ReactNode> = {
    accept: () => <AcceptButton {...props} />,
    pickUp: () => step('pickUp'),
    arrive: () => step('arrive'),
    startReturn: () => <ReturnButton {...props} tone="accent" />,
    finishReturn: () =>
      isCourier ? (
        <HandoverButton {...props} step="return" tone="accent" label={steps.finishReturn} />
      ) : (
        step('finishReturn')
      ),
    deliver: () => (isCourier || !courier?.phoneNumber ? <DeliverButton {...props} /> : null),
    confirm: () => (
      <Button
        tone="accent"
        isBusy={props.actions.isBusy}
        onClick={props.actions.record('confirmDelivery')}
      >
        {isReturnClaimed(view) ? disputes.confirmReturn : disputes.confirm}
      </Button>
    ),
    pay: () => <PayButton view={view} payment={payment} isSender />,
    assign: () => <AssignButton view={view} dispatching={dispatching} />,
    sendLink: () => <SendLinkButton view={view} />,
    edit: () => (
      <Link
        className={buttonClass()}
        to={`/edit-package/${view.id}`}
        aria-label={packages.detail.editShipment}
      >
        {packages.detail.edit}
      </Link>
    ),
    again: () => again('accent'),
    next: () => (
      // To the next stop on top, not to this one.
      <Link className={buttonClass()} to="/delivery/in-transit" onClick={() => select('')}>
        {words.nextDelivery}
      </Link>
    ),
    none: () => null,
  };
  return (
    <>
      {primaries[primary]()}
      {primary === 'confirm' && view.sender.id === actor.id && again('quiet')}
      {stepsOf(actor, view).isDeliverInBar && <DeliverButton {...props} />}
      {view.status === 'in-transit' && isCourier && stop && (
        <>
          <CallLink {...contactAt(view, stop)} look="bar" />
          <NavigateLink view={view} stop={stop} />
        </>
      )}
      {primary === 'accept' && <NavigateLink view={view} stop="pickup" />}
      {courier && canCallCourier(actor, view) && (
        <CallLink
          name={displayName(courier)}
          firstName={courier.firstName}
          phone={courier.phoneNumber}
          look={primary === 'deliver' || primary === 'none' ? 'primary' : 'bar'}
        />
      )}
      {/* A sender asks more often than they confirm, which pays and is final. */}
      {primary === 'deliver' && !isCourier && courier?.phoneNumber && (
        <DeliverButton {...props} tone="quiet" />
      )}
    </>
  );
}

/** At the end of the page, away from the thumb: steps that undo, destroy, or are someone else's. */
export function ApartActions(props: Props) {
  const { view, actor, actions, parts } = props;
  const { DeliverButton, ReturnButton } = parts;
  const { isBusy } = actions;
  const isOwner = actor.role === 'Admin' || view.sender.id === actor.id;
  const buttons: Record<ApartStep, ReactNode> = {
    deliver: <DeliverButton {...props} tone="quiet" />,
    startReturn: <ReturnButton {...props} />,
    finishReturn: (
      <Button tone="quiet" isBusy={isBusy} onClick={actions.record('finishReturn')}>
        {steps.finishReturn}
      </Button>
    ),
    reject: (
      <Button tone="danger" isBusy={isBusy} onClick={actions.reject}>
        {packages.detail.reject}
      </Button>
    ),
  };
  return (
    <div className={layout.apart}>
      {stepsOf(actor, view).apart.map((step) => (
        <Fragment key={step}>{buttons[step]}</Fragment>
      ))}
      {actor.role !== 'Employee' && isOwner && (
        <DeleteButton view={view} actor={actor} isBusy={isBusy} onPress={() => actions.remove()} />
      )}
    </div>
  );
}
