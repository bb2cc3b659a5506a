import { useSetAtom } from 'jotai';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { DisputeKind } from '#contract/dispute.ts';
import { refusalMessage } from '#contract/errors.ts';
import type { Proof, ReasonCode } from '#contract/event.ts';
import { useSignedIn } from '#data/services.ts';
import { useSubmitIntent } from '#data/submit-intent.ts';
import { formatNaira } from '#domain/money.ts';
import type { Intent, PlainName } from '#domain/operation.ts';
import type { OperationName } from '#domain/operation-names.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf, type PackageAction } from '#domain/policy.ts';
import { partyToWire, type User } from '#domain/user.ts';
import { heldKoboOf } from '#features/packages/dispute-rules.ts';
import { packages as words } from '#messages/en/packages.ts';
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
const felt: ReadonlySet<OperationName> = new Set([
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
    { action, question, about, actor, tone = 'destructive' }: Asking,
    onConfirm: () => void,
  ) => {
    const isAllowed = (view: PackageView) => {
      const decision = can(actor, action, factsOf(view));
      if (!decision.isAllowed) toasts.showError(refusalMessage(decision.code));
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
        if (isAllowed(latest.current)) onConfirm();
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

  const act = async (
    intent: Intent,
    then: () => void,
    otherwise = () => {},
    replaces: string | null = null,
  ) => {
    if (isActing.current) return;
    isActing.current = true;
    setIsBusy(true);
    const isSaved = await submitIntent(intent, replaces);
    // Felt in a gloved hand, in traffic: it is saved. Safari has no vibration.
    if (isSaved && felt.has(intent.name)) {
      navigator.vibrate?.(savedVibrationMs);
    }
    if (isSaved) then();
    else otherwise();
    await packages.settled();
    // The next step is under the same thumb: a second tap meant the first.
    if (isSaved && steps.has(intent.name)) await new Promise((done) => setTimeout(done, restMs));
    isActing.current = false;
    setIsBusy(false);
  };
  return { isBusy, act };
}

export function usePackageActions(pkg: PackageView, actor: Actor) {
  const { isBusy, act } = useAct();
  const navigate = useNavigate();
  const goBack = useGoBack('/delivery/in-transit');
  const select = useSetAtom(selectedPackageAtom);
  const setRemoved = useSetAtom(removedPackageAtom);
  const about = subjectOf(pkg);
  const target = { targetId: pkg.id, subject: about };
  const ask = useQuestion(pkg);

  const accept = (self: User) => {
    const decision = can(actor, 'accept', factsOf(pkg));
    if (!decision.isAllowed) return toasts.showError(refusalMessage(decision.code));
    const intent: Intent = {
      ...target,
      name: 'acceptPackage',
      args: { courier: partyToWire(self), baseVersion: pkg.version },
    };
    void act(intent, () => {
      select(pkg.id);
      navigate('/delivery/in-transit');
    });
  };

  const reject = () =>
    ask({ actor, about, action: 'reject', question: words.rejectQuestion }, () => {
      void act({ ...target, name: 'rejectDelivery', args: {} }, goBack);
    });

  /** `isCashCollected`: the answer to the question of a cash package (detail-actions). */
  const deliver = (isCashCollected = false) => {
    const args = isCashCollected ? { isCashCollected } : {};
    const send = () => void act({ ...target, name: 'deliverPackage', args }, () => undefined);
    // Asked only where it pays.
    const heldKobo = heldKoboOf(pkg);
    if (heldKobo === 0) return send();
    const by =
      pkg.sender.id === actor.id ? 'bySender' : actor.role === 'Admin' ? 'byAdmin' : 'byCourier';
    const { title } = words.deliverQuestion;
    const question = { title, text: words.deliverQuestion[by](formatNaira(heldKobo)) };
    ask({ actor, about, action: 'deliver', question, tone: 'primary' }, send);
  };

  /** Resolves once it is saved; false: it was not. `replaces`: a refused one. */
  const saved = (intent: Intent, replaces = null as string | null) =>
    new Promise<boolean>((resolve) => {
      void act(
        intent,
        () => resolve(true),
        () => resolve(false),
        replaces,
      );
    });

  const deliverWith = (
    { proof, isCashCollected }: { proof: Proof; isCashCollected: boolean },
    replaces?: string,
  ) => {
    const args = { proof, ...(isCashCollected && { isCashCollected }) } as const;
    return saved({ ...target, name: 'deliverPackage', args }, replaces);
  };

  const finishReturnBy = (code: string | undefined, replaces?: string) => {
    const args = code === undefined ? {} : { code };
    return saved({ ...target, name: 'finishReturn', args }, replaces);
  };

  /** For a button with nothing to ask. */
  const record = (name: PlainName) => () =>
    void act({ ...target, name, args: {} }, () => undefined);

  const failAttempt = (reason: ReasonCode, note: string | null) =>
    saved({ ...target, name: 'failAttempt', args: { reason, note } });

  const report = (kind: DisputeKind, text: string) =>
    saved({ ...target, name: 'openDispute', args: { kind, text } });

  const remove = (onFailed = () => {}) =>
    ask({ actor, about, action: 'delete', question: words.deleteQuestion }, () => {
      const leave = () => {
        setRemoved(pkg.id);
        navigate('/tracking', { replace: true });
      };
      void act({ ...target, name: 'deletePackage', args: {} }, leave, onFailed);
    });

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
