import { useAtomValue } from 'jotai';
import { Bell } from 'lucide-react';
import { useState } from 'react';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { usePush } from '#features/notifications/hooks/use-push.ts';
import { notifications as words } from '#messages/en/notifications.ts';
import { hasAchievedAtom } from '#state/install.ts';
import { pushDismissal, readPushChoice } from '#state/push-choice.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import layout from '#ui/stack.module.css';

const canAsk = () => 'PushManager' in window && Notification.permission !== 'denied';

/** Only after the first created or accepted package, when the use of notifications is clear. */
export function PushInvitation() {
  const { id } = useSignedIn().userInfo;
  const hasAchieved = useAtomValue(hasAchievedAtom);
  if (!hasAchieved || !canAsk() || pushDismissal(id).isSet() || readPushChoice(id)) return null;
  return <Invitation onDismiss={pushDismissal(id).set} />;
}

/** Offers notifications where useful; the browser's prompt opens only on a tap. */
function Invitation({ onDismiss }: { onDismiss(): void }) {
  const { role } = useActor();
  const [isDismissed, setIsDismissed] = useState(false);
  const { state, kinds, isBusy, turnOn } = usePush();
  if (isDismissed || kinds.length === 0 || state.kind !== 'off') return null;
  const said = words.invitation[role === 'Employee' ? 'courier' : 'sender'];
  const dismiss = () => {
    onDismiss();
    setIsDismissed(true);
  };
  return (
    <Card title={said.title} aside={<Bell aria-hidden size={24} />}>
      <p>{said.text}</p>
      <div className={layout.actions}>
        <Button tone="quiet" onClick={dismiss}>
          {words.invitation.dismiss}
        </Button>
        <Button isBusy={isBusy} onClick={turnOn}>
          {isBusy ? words.invitation.busy : words.invitation.accept}
        </Button>
      </div>
    </Card>
  );
}
