import { QuestionDialog } from './dialog.tsx';
import type { LeaveGuard } from './use-leave-guard.ts';

interface LeaveQuestionProps {
  guard: LeaveGuard;
  words: Record<'title' | 'text' | 'discard' | 'stay', string>;
  /** Drops the draft. */
  onDiscard(): void;
  goBack(): void;
}

export function LeaveQuestion({ guard, words, onDiscard, goBack }: LeaveQuestionProps) {
  if (!guard.isAsking) return null;
  return (
    <QuestionDialog
      title={words.title}
      text={words.text}
      confirmLabel={words.discard}
      cancelLabel={words.stay}
      confirmTone="danger"
      onCancel={guard.stay}
      onConfirm={() => {
        onDiscard();
        guard.leave(goBack);
      }}
    />
  );
}
