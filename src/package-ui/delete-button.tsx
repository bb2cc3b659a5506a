import { useId } from 'react';
import { refusalMessage } from '#contract/errors.ts';
import type { PackageView } from '#domain/overlay.ts';
import { type Actor, can, factsOf } from '#domain/policy.ts';
import { packages as words } from '#messages/en/packages.ts';
import { Button } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import css from './delete-button.module.css';

interface DeleteButtonProps {
  view: PackageView;
  actor: Actor;
  isBusy: boolean;
  onPress(): void;
}

/** While a courier has the package, it looks out of use and says why; pressing it is answered. */
export function DeleteButton({ view, actor, isBusy, onPress }: DeleteButtonProps) {
  const id = useId();
  const decision = can(actor, 'delete', factsOf(view));
  const reason = decision.isAllowed ? null : refusalMessage(decision.code);
  return (
    <div className={`${layout.tight} ${css.remove}`} data-refused={reason !== null}>
      <Button
        tone="danger"
        isBusy={isBusy}
        onClick={onPress}
        aria-describedby={reason ? id : undefined}
      >
        {words.detail.delete}
      </Button>
      {reason && (
        <p id={id} className={layout.note}>
          {reason}
        </p>
      )}
    </div>
  );
}
