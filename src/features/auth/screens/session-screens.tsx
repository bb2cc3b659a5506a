/** Screens for an expired session and for one that cannot be opened offline. */
import { Clock, WifiOff } from 'lucide-react';
import { useState } from 'react';
import { useServices } from '#data/services.ts';
import { auth as words } from '#messages/en/auth.ts';
import { Button } from '#ui/button.tsx';
import { MessageScreen } from '#ui/screen.tsx';

interface SessionExpiredProps {
  message: string;
  unsent: number;
  onGoToLogin(): void;
}

export function SessionExpiredScreen({ message, unsent, onGoToLogin }: SessionExpiredProps) {
  return (
    <MessageScreen title={words.expiredTitle} icon={<Clock aria-hidden size={40} />}>
      <p>{message}</p>
      {unsent > 0 && <p>{words.expiredUnsent(unsent)}</p>}
      <Button onClick={onGoToLogin}>{words.goToLogin}</Button>
    </MessageScreen>
  );
}

interface OfflineLockedProps {
  unsent: number;
  /** The browser stores nothing, so trusting the device makes no difference. */
  isInMemory: boolean;
}

/** A known device without local data to open and without an answer from the network. */
export function OfflineLockedScreen({ unsent, isInMemory }: OfflineLockedProps) {
  const { session } = useServices();
  const [isBusy, setIsBusy] = useState(false);
  const tryAgain = async () => {
    setIsBusy(true);
    await session.resume();
    setIsBusy(false);
  };
  return (
    <MessageScreen title={words.lockedTitle} icon={<WifiOff aria-hidden size={40} />}>
      <p>{isInMemory ? words.lockedInMemory : words.lockedText}</p>
      {unsent > 0 && <p>{words.lockedUnsent(unsent)}</p>}
      <Button isBusy={isBusy} onClick={() => void tryAgain()}>
        {isBusy ? words.trying : words.tryAgain}
      </Button>
    </MessageScreen>
  );
}
