/** An admin's actions on the detail page of a package. */
import { type ReactNode, useState } from 'react';
import type { PatchPackageBody } from '#contract/package.ts';
import { useActor } from '#data/use-actor.ts';
import { formatNaira } from '#domain/money.ts';
import type { PackageView } from '#domain/overlay.ts';
import { progressOf } from '#domain/package-state.ts';
import { statusLabel } from '#domain/status.ts';
import { displayName } from '#domain/user.ts';
import { dispatch as words } from '#messages/en/dispatch.ts';
import type { CourierChoice } from '#package-ui/courier-choices.ts';
import {
  type DispatchChoices,
  type Dispatching,
  dispatchChoices,
} from '#package-ui/use-dispatch.ts';
import { Button, type ButtonTone } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import { useFocusOn } from '#ui/focus-guard.ts';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';
import type { Complaint } from '#ui/use-form.ts';
import { CourierPicker } from './courier-picker.tsx';

interface DispatchCardProps {
  view: PackageView;
  dispatching: Dispatching;
}

interface Step {
  label: string;
  tone: ButtonTone;
  question: string;
  text: string;
  body: PatchPackageBody;
  done: string;
}

const sentences = (...parts: (string | false)[]) => parts.filter(Boolean).join(' ');

function cancelText({ status }: PackageView, carrier: string | null): string {
  if (status === 'delivered') return words.cancelTextDelivered;
  return carrier ? words.cancelTextFrom(carrier) : words.cancelText;
}

function stepsOf(view: PackageView, choices: DispatchChoices): Step[] {
  const carrier = view.courier && view.status === 'in-transit' ? displayName(view.courier) : null;
  const amount = formatNaira(view.priceOfferKobo);
  const isRefunded =
    view.paymentMethod === 'app' && view.paymentStatus === 'paid' && view.status !== 'delivered';
  const steps: Step[] = [];
  if (choices.toPending) {
    steps.push({
      label: words.toPending,
      tone: 'quiet',
      question: words.pendingQuestion,
      text: sentences(
        carrier ? words.pendingTextFrom(carrier) : words.pendingText,
        typeof view.paidOutKobo === 'number' && words.pendingUnpaid,
      ),
      body: { deliveryStatus: statusLabel('pending') },
      done: words.toPendingDone,
    });
  }
  if (choices.unpay) {
    const isCash = choices.unpay === 'setPaymentStatus';
    steps.push({
      label: isCash ? words.unpaid : words.refund,
      tone: 'quiet',
      question: isCash ? words.unpaidQuestion : words.refundQuestion,
      text: isCash ? words.unpaidText(amount) : words.refundText(amount),
      body: { paymentStatus: 'unpaid' },
      done: isCash ? words.unpaidDone : words.refunded,
    });
  }
  if (choices.cancel) {
    steps.push({
      label: words.cancelPackage,
      tone: 'danger',
      question: words.cancelQuestion,
      text: sentences(cancelText(view, carrier), isRefunded && words.cancelRefund(amount)),
      body: { deliveryStatus: statusLabel('cancelled') },
      done: words.cancelled,
    });
  }
  return steps;
}

function stateText(view: PackageView): string {
  const progress = progressOf(view);
  if (progress && view.courier) return words.carried[progress](displayName(view.courier));
  return words.states[view.status];
}

/** 'Assign courier' or 'Reassign', with the courier picker; in the bar at the thumb. */
export function AssignButton({ view, dispatching }: DispatchCardProps) {
  const { patch, isBusy } = dispatching;
  const [isPicking, setIsPicking] = useState(false);
  const carrierId = view.courier?.id ?? null;
  const [pickedFor, setPickedFor] = useState<string | null>(null);
  const label = view.courier ? words.reassign : words.assign;

  const assign = async ({ id, name }: CourierChoice): Promise<Complaint | null> => {
    // Another dispatcher changed the courier: never replaced without this one seeing it.
    if (carrierId !== pickedFor) {
      setPickedFor(carrierId);
      return { message: words.meanwhile(view.courier && displayName(view.courier)) };
    }
    const result = await patch({ deliveryPersonId: id });
    if (!result.isDone) return { message: result.message };
    setIsPicking(false);
    showSuccess(words.assigned(name));
    return null;
  };

  return (
    <>
      <Button
        tone={view.courier ? 'quiet' : 'accent'}
        isBusy={isBusy}
        onClick={() => {
          setPickedFor(carrierId);
          setIsPicking(true);
        }}
      >
        {label}
      </Button>
      {isPicking && (
        <CourierPicker
          view={view}
          title={label}
          onChoose={assign}
          onClose={() => setIsPicking(false)}
        />
      )}
    </>
  );
}

/** `children`: what else stands apart on this page, below a dispatcher's own actions. */
export function DispatchCard({
  view,
  dispatching,
  children,
}: DispatchCardProps & { children: ReactNode }) {
  const { patch, isBusy } = dispatching;
  const choices = dispatchChoices(useActor(), view);
  const [asked, setAsked] = useState<Step | null>(null);
  const steps = view.mark === 'waiting' ? [] : stepsOf(view, choices);

  const kind = `${view.status} ${view.paymentStatus} ${view.mark}`;
  const state = useFocusOn<HTMLParagraphElement>(kind, { isRescue: true, isLater: true });

  const take = async (step: Step) => {
    // Skipped if the question, with its amounts and courier, no longer applies.
    const isStill = stepsOf(view, choices).some(
      ({ question, text }) => question === step.question && text === step.text,
    );
    setAsked(null);
    if (!isStill) return showError(words.changed);
    const result = await patch(step.body);
    if (result.isDone) showSuccess(step.done);
    else showError(result.message);
  };

  return (
    <Card title={words.title}>
      <p ref={state} tabIndex={-1} dir="auto">
        {stateText(view)}
      </p>
      {view.mark === 'waiting' && <p className={layout.soft}>{words.waiting}</p>}
      {steps.length > 0 && (
        <div className={layout.actions}>
          {steps.map((step) => (
            <Button
              key={step.label}
              tone={step.tone}
              isBusy={isBusy}
              onClick={() => setAsked(step)}
            >
              {step.label}
            </Button>
          ))}
        </div>
      )}
      {children}
      {asked && (
        <QuestionDialog
          title={asked.question}
          text={asked.text}
          confirmLabel={asked.label}
          cancelLabel={words.keep}
          confirmTone={asked.tone === 'danger' ? 'danger' : 'primary'}
          onConfirm={() => void take(asked)}
          onCancel={() => setAsked(null)}
        />
      )}
    </Card>
  );
}
