import { useEffect, useRef } from 'react';
import { refusalMessage } from '#contract/errors.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf, type PackageAction } from '#domain/policy.ts';
import { packages as words } from '#messages/en/packages.ts';
import type { ButtonTone } from '#ui/button.tsx';
import { askInToast, showError } from '#ui/toast.tsx';

const questionMs = 10_000;

interface Asking {
  actor: Actor;
  action: PackageAction;
  question: { title: string; text: string };
  /** 'primary' for a step towards the user's goal. */
  tone?: ButtonTone;
  about: string;
}

/** The question closes with its screen or package; an action no longer allowed is skipped. */
export function useQuestion(pkg: PackageView) {
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

  return ({ action, question, about, actor, tone = 'danger' }: Asking, onConfirm: () => void) => {
    const isAllowed = (view: PackageView) => {
      const decision = can(actor, action, factsOf(view));
      if (!decision.isAllowed) showError(refusalMessage(decision.code));
      return decision.isAllowed;
    };
    if (!isAllowed(pkg)) return;
    const takeBack = askInToast(
      {
        ...question,
        about,
        durationMs: questionMs,
        confirmLabel: words.confirm,
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
