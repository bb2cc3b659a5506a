import { useSetAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { DisputeKind } from '#contract/dispute.ts';
import { refusalMessage } from '#contract/errors.ts';
import type { Proof, ReasonCode } from '#contract/event.ts';
import { useSignedIn } from '#data/services.ts';
import { type Sending, useSubmitIntent } from '#data/submit-intent.ts';
import { formatNaira } from '#domain/money.ts';
import type { Intent, PlainName } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf, type PackageAction } from '#domain/policy.ts';
import { partyToWire, type User } from '#domain/user.ts';
import { packages as words } from '#messages/en/packages.ts';
import { heldKoboOf } from '#package-ui/dispute-rules.ts';
import { removedPackageAtom, selectedPackageAtom } from '#state/package-ui.ts';
import { useGoBack } from '#ui/back-button.tsx';
import type { ButtonTone } from '#ui/button.tsx';
import * as toasts from '#ui/toast.tsx';

/** 'KY-000042 · Two bolts of cloth': an operation's subject, stored with it. */
export function subjectOf(pkg: PackageView): string {
  return [pkg.packageId, pkg.description].filter(Boolean).join(' · ').slice(0, 200);
}

const questionMs = 10_000;
const savedVibrationMs = 40;
const restMs = 1_000;
const steps: ReadonlySet<OperationName> = new Set(['pickUp', 'arrive', 'failAttempt']);
const vibrating: ReadonlySet<OperationName> = new Set([
  ...steps,
  ...(['acceptPackage', 'deliverPackage'] as const),
]);

interface Asking {
  actor: Actor;
  action: PackageAction;
  question: { title: string; text: string; effect?: string; confirmLabel?: string };
  /** 'primary' for a step towards the user's goal. */
  tone?: ButtonTone;
  about: string;
  onRefused?(): void;
}

/** The question closes with its screen or package; an action no longer allowed is skipped. */
function useQuestion(pkg: PackageView) {
  const latest = useRef(pkg);
  latest.current = pkg;
  const open = useRef<{ id: string; takeBack(): void } | null>(null);
  const { id } = pkg;
  useEffect(
    () => () => {
      if (open.current?.id === id) open.current.takeBack();
    },
    [id],
  );

  return (
    { action, question, about, actor, tone = 'destructive', onRefused }: Asking,
    onConfirm: () => void | Promise<void>,
  ) => {
    const isAllowed = (view: PackageView) => {
      const decision = can(actor, action, factsOf(view));
      if (!decision.isAllowed) {
        toasts.showError(refusalMessage(decision.code));
        onRefused?.();
      }
      return decision.isAllowed;
    };
    if (!isAllowed(pkg)) return;
    const takeBack = toasts.askInToast(
      {
        confirmLabel: words.confirm,
        ...question,
        about,
        durationMs: questionMs,
        cancelLabel: words.cancel,
        confirmTone: tone,
      },
      () => {
        if (isAllowed(latest.current)) void onConfirm();
      },
    );
    open.current = { id, takeBack };
  };
}

/** One intent at a time: a second tap is ignored until the screen shows what the first did. */
function useAct() {
  const [isBusy, setIsBusy] = useState(false);
  // The handler of an open question knows only the state it was rendered with.
  const isActing = useRef(false);
  const { packages } = useSignedIn();
  const submitIntent = useSubmitIntent(toasts);

  const rest = async (isStep: boolean) => {
    await packages.settled();
    // The next step is under the same thumb: a second tap meant the first.
    if (isStep) await new Promise((done) => setTimeout(done, restMs));
    isActing.current = false;
    setIsBusy(false);
  };

  /** Resolves once it is saved; with null where it was not. `replaces`: a refused operation. */
  const act = async (intent: Intent, replaces: string | null = null): Promise<Sending | null> => {
    if (isActing.current) return null;
    isActing.current = true;
    setIsBusy(true);
    const sending = await submitIntent(intent, replaces);
    // Confirms the save to a gloved hand in traffic. Safari has no vibration.
    if (sending && vibrating.has(intent.name)) navigator.vibrate?.(savedVibrationMs);
    void rest(sending !== null && steps.has(intent.name));
    return sending;
  };
  return { isBusy, act };
}

interface RemovingScreen {
  /** The package is hidden for as long as its removal waits. */
  onWaiting(isWaiting: boolean): void;
  onFailed(): void;
}

export function usePackageActions(pkg: PackageView, actor: Actor) {
  const { packages } = useSignedIn();
  const { isBusy, act } = useAct();
  const navigate = useNavigate();
  const goBack = useGoBack('/delivery/in-transit');
  const select = useSetAtom(selectedPackageAtom);
  const setRemoved = useSetAtom(removedPackageAtom);
  const about = subjectOf(pkg);
  const target = { targetId: pkg.id, subject: about };
  const ask = useQuestion(pkg);

  const accept = async (self: User) => {
    const decision = can(actor, 'accept', factsOf(pkg));
    if (!decision.isAllowed) return toasts.showError(refusalMessage(decision.code));
    const intent: Intent = {
      ...target,
      name: 'acceptPackage',
      args: { courier: partyToWire(self), baseVersion: pkg.version },
    };
    if (!(await act(intent))) return;
    select(pkg.id);
    navigate('/delivery/in-transit');
  };

  const reject = () =>
    ask({ actor, about, action: 'reject', question: words.rejectQuestion }, async () => {
      if (await act({ ...target, name: 'rejectDelivery', args: {} })) goBack();
    });

  /** `isCashCollected`: the answer to the question of a cash package (detail-actions). */
  const deliver = (isCashCollected = false) => {
    const args = isCashCollected ? { isCashCollected } : {};
    const send = () => void act({ ...target, name: 'deliverPackage', args });
    // Asked only where it pays.
    const heldKobo = heldKoboOf(pkg);
    if (heldKobo === 0) return send();
    const by =
      pkg.sender.id === actor.id ? 'bySender' : actor.role === 'Admin' ? 'byAdmin' : 'byCourier';
    const { title } = words.deliverQuestion;
    const question = { title, text: words.deliverQuestion[by](formatNaira(heldKobo)) };
    ask({ actor, about, action: 'deliver', question, tone: 'primary' }, send);
  };

  const isSaved = async (intent: Intent, replaces?: string) =>
    (await act(intent, replaces)) !== null;

  const deliverWith = (
    { proof, isCashCollected }: { proof: Proof; isCashCollected: boolean },
    replaces?: string,
  ) => {
    const args = { proof, ...(isCashCollected && { isCashCollected }) } as const;
    return isSaved({ ...target, name: 'deliverPackage', args }, replaces);
  };

  const finishReturnBy = (code: string | undefined, replaces?: string) => {
    const args = code === undefined ? {} : { code };
    return isSaved({ ...target, name: 'finishReturn', args }, replaces);
  };

  /** For a button with nothing to ask. */
  const record = (name: PlainName) => () => void act({ ...target, name, args: {} });

  const failAttempt = (reason: ReasonCode, note: string | null) =>
    isSaved({ ...target, name: 'failAttempt', args: { reason, note } });

  const report = (kind: DisputeKind, text: string) =>
    isSaved({ ...target, name: 'openDispute', args: { kind, text } });

  /** `screen`: stays until the server has answered, or the answer takes too long. */
  const remove = (screen?: RemovingScreen) => {
    const heldKobo = pkg.status === 'pending' ? heldKoboOf(pkg) : 0;
    const refund = words.deleteRefund[pkg.sender.id === actor.id ? 'own' : 'others'];
    const effect = heldKobo > 0 && { effect: refund(formatNaira(heldKobo)) };
    const question = { ...words.deleteQuestion, ...effect };
    const asking = { actor, about, action: 'delete', question } as const;
    ask({ ...asking, ...(screen && { onRefused: screen.onFailed }) }, async () => {
      const leave = () => {
        setRemoved(pkg.id);
        navigate('/tracking', { replace: true });
      };
      const intent = { ...target, name: 'deletePackage', args: {} } as const;
      screen?.onWaiting(true);
      const sending = await act(intent);
      if (sending && !screen) return leave();
      const answer = await sending?.answer;
      if (answer && answer.kind !== 'refused') return leave();
      if (answer) await packages.settled();
      screen?.onWaiting(false);
      screen?.onFailed();
    });
  };

  return {
    isBusy,
    accept,
    reject,
    deliver,
    deliverWith,
    finishReturnBy,
    remove,
    failAttempt,
    report,
    record,
  };
}

export type PackageActions = ReturnType<typeof usePackageActions>;

/** Props of parts that offer steps of a package. */
export interface StepProps {
  view: PackageView;
  actor: Actor;
  actions: PackageActions;
}
