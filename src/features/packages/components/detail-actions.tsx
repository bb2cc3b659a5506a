/** What a reader can do with a package: the bar at the thumb, and what stands apart from it. */
import { useSetAtom } from 'jotai';
import { Navigation, Phone } from 'lucide-react';
import { Fragment, type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { useDraftProofs } from '#data/use-proofs.ts';
import { useOwnUser } from '#data/use-users.ts';
import { callLink, navigationLink } from '#domain/contact-links.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { nextStop, type StopName } from '#domain/stops.ts';
import { displayName } from '#domain/user.ts';
import { againPath } from '#features/packages/again.ts';
import {
  type ApartStep,
  canCallCourier,
  isCashDue,
  primaryOf,
  stepsOf,
} from '#features/packages/detail-rules.ts';
import { useDeliveryDraft } from '#features/packages/hooks/use-delivery-draft.ts';
import type { usePackageActions } from '#features/packages/hooks/use-package-actions.ts';
import { deliverySteps as steps } from '#messages/en/delivery-steps.ts';
import { disputes } from '#messages/en/disputes.ts';
import { packageDetail as words } from '#messages/en/package-detail.ts';
import { packages } from '#messages/en/packages.ts';
import { selectedPackageAtom } from '#state/package-ui.ts';
import { Button, type ButtonTone, buttonClass } from '#ui/button.tsx';
import { PanelDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { DeleteButton } from './delete-button.tsx';
import { ReturnButton } from './delivery-steps.tsx';
import css from './detail.module.css';
import { AssignButton, type Dispatching } from './dispatch-card.tsx';
import { HandoverButton } from './handover-step.tsx';
import { PayButton, type Payment } from './payment-card.tsx';
import { SendLinkButton } from './recipient-link.tsx';
import { contactAt } from './stops.tsx';

interface Props {
  view: PackageView;
  actor: Actor;
  actions: ReturnType<typeof usePackageActions>;
}

type DeliverProps = Props & { tone?: ButtonTone };

/** Both answers deliver; the package may be closed by another in the meantime. */
export function DeliverButton(props: DeliverProps) {
  const { view, actor, tone = 'accent' } = props;
  const { isBusy, deliver } = props.actions;
  const [isAsking, setIsAsking] = useState(false);
  const amount = formatNaira(view.priceOfferKobo);
  const isCourier = view.courier?.id === actor.id;
  const { draft } = useDeliveryDraft(view.id);
  const pictures = useDraftProofs(view.id);
  const isProofBegun = Boolean(pictures?.length || draft.relation || draft.recipientName);
  const answer = (isCollected: boolean) => {
    setIsAsking(false);
    deliver(isCollected);
  };
  const { cash } = words;
  // A proof that was begun and closed is not left behind.
  if (isCourier && (view.handover === 'code' || isProofBegun)) {
    return <HandoverButton {...props} step="deliver" tone={tone} label={packages.detail.deliver} />;
  }
  return (
    <>
      <Button
        tone={tone}
        isBusy={isBusy}
        onClick={() => (isCashDue(actor, view) ? setIsAsking(true) : deliver())}
      >
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

function AcceptButton({ view, actor, actions: { isBusy, accept } }: Props) {
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

interface CallLinkProps {
  name: string;
  /** Seen on the button where it could be one of several people. */
  firstName?: string | null;
  phone: string | null;
  className?: string | undefined;
}

/** Nothing without a number to dial: it may be withheld. */
function CallLink(props: CallLinkProps) {
  const { name, firstName, phone, className = `${css.action} ${css.beside}` } = props;
  const href = phone && callLink(phone);
  if (!href) return null;
  const { call, callTo } = packages.detail.contact;
  return (
    <a className={className} href={href} aria-label={callTo(name)}>
      <Phone aria-hidden size={22} />
      {firstName ? callTo(firstName) : call}
    </a>
  );
}

function NavigateLink({ view, stop }: { view: PackageView; stop: StopName }) {
  const address = view[`${stop}Address`];
  const { href, ...where } = navigationLink(address, view[`${stop}Location`], navigator.userAgent);
  return (
    <a
      className={`${css.action} ${css.beside}`}
      href={href}
      aria-label={packages.navigateTo(address)}
      {...where}
    >
      <Navigation aria-hidden size={22} />
      {packages.navigate}
    </a>
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

/** One action, and whom to call or where to go for it. */
export function DetailBar(props: BarProps) {
  const { view, actor, payment, dispatching } = props;
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
        {disputes.confirm}
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
      {primary === 'confirm' && again('quiet')}
      {stepsOf(actor, view).isDeliverInBar && <DeliverButton {...props} />}
      {view.status === 'in-transit' && isCourier && stop && (
        <>
          <CallLink {...contactAt(view, stop)} />
          <NavigateLink view={view} stop={stop} />
        </>
      )}
      {primary === 'accept' && <NavigateLink view={view} stop="pickup" />}
      {courier && canCallCourier(actor, view) && (
        <CallLink
          name={displayName(courier)}
          firstName={courier.firstName}
          phone={courier.phoneNumber}
          className={primary === 'deliver' || primary === 'none' ? buttonClass() : undefined}
        />
      )}
      {/* A sender asks more often than they confirm, which pays and is final. */}
      {primary === 'deliver' && !isCourier && courier?.phoneNumber && (
        <DeliverButton {...props} tone="quiet" />
      )}
    </>
  );
}

/** At the end of the page, away from the thumb: what undoes, destroys, or is another's to do first. */
export function ApartActions(props: Props) {
  const { view, actor, actions } = props;
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
