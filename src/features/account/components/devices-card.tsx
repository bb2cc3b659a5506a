/** The devices that are signed in, each with its log-out. */
import { MonitorSmartphone } from 'lucide-react';
import { useState } from 'react';
import type { DeviceSession } from '#contract/auth.ts';
import { useNow } from '#data/use-now.ts';
import { useServerCall } from '#data/use-server-call.ts';
import { whenText } from '#domain/dates.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import { SignOutButton } from '#features/account/components/sign-out-button.tsx';
import { type Devices, useDevices } from '#features/account/hooks/use-devices.ts';
import { account as words } from '#messages/en/account.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card, Skeletons } from '#ui/card.tsx';
import { QuestionDialog } from '#ui/dialog.tsx';
import layout from '#ui/stack.module.css';
import { showError, showSuccess } from '#ui/toast.tsx';

const said = { needsNetwork: words.needsNetwork, otherwise: words.devices.failure };

export function DevicesCard() {
  const devices = useDevices();
  const { sessions, failure } = devices;
  // A server that knows only the specification has no such list.
  if (failure !== null && failure !== 'unknown' && failure.status === 404) return null;
  return (
    <Card title={words.devices.title}>
      {sessions === null && failure === null && <Skeletons label={words.loading} count={1} />}
      {sessions === null && failure !== null && <NotLoaded {...devices} />}
      {sessions !== null && (
        <ul className={layout.stack}>
          {sessions.map((session) => (
            <Device key={session._id} session={session} onEnded={devices.reload} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function NotLoaded({ failure, isLoading, reload }: Devices) {
  return (
    <>
      <p role="alert">
        {words.devices.notLoaded} {sentenceOfFailure(failure === 'unknown' ? null : failure, said)}
      </p>
      <Button tone="quiet" isBusy={isLoading} onClick={reload}>
        {words.retry}
      </Button>
    </>
  );
}

interface DeviceProps {
  session: DeviceSession;
  onEnded(): void;
}

function Device({ session, onEnded }: DeviceProps) {
  const { device, isCurrent, lastSeenAt } = session;
  const seen = whenText(lastSeenAt, useNow());
  return (
    <li className={layout.spread}>
      <div className={layout.row}>
        <MonitorSmartphone aria-hidden size={24} />
        <div>
          <p>
            <strong>{device}</strong>
          </p>
          {isCurrent ? (
            <Badge tone="good">{words.devices.thisOne}</Badge>
          ) : (
            seen && <p className={layout.note}>{words.devices.lastSeen(seen)}</p>
          )}
        </div>
      </div>
      {isCurrent ? <SignOutButton isInRow /> : <EndButton session={session} onEnded={onEnded} />}
    </li>
  );
}

function EndButton({ session: { _id: id, device }, onEnded }: DeviceProps) {
  const { call, isBusy } = useServerCall();
  const [isAsking, setIsAsking] = useState(false);
  const end = async () => {
    setIsAsking(false);
    const called = await call(id, 'end', (api, key) => api.endSession(id, key));
    const isGone = called.kind === 'failed' && called.failure?.code === 'not_found';
    if (called.kind === 'failed' && !isGone) {
      return showError(sentenceOfFailure(called.failure, said));
    }
    showSuccess(words.devices.ended(device));
    onEnded();
  };
  return (
    <>
      <Button
        tone="quiet"
        isBusy={isBusy}
        aria-label={words.devices.end(device)}
        onClick={() => setIsAsking(true)}
      >
        {isBusy ? words.signOut.busy : words.signOut.label}
      </Button>
      {isAsking && (
        <QuestionDialog
          title={words.devices.question(device)}
          text={words.devices.consequence}
          confirmLabel={words.signOut.label}
          cancelLabel={words.devices.keep}
          confirmTone="danger"
          cancelTone="primary"
          onConfirm={() => void end()}
          onCancel={() => setIsAsking(false)}
        />
      )}
    </>
  );
}
