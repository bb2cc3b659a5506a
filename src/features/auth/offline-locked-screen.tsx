import { WifiOff } from 'lucide-react';
import { useState } from 'react';
import { useServices } from '#live/services.ts';
import { Button } from '#ui/button.tsx';
import { MessageScreen } from '#ui/screen.tsx';
import { words } from './words.ts';

/** A device that held a session, is not trusted, and got no answer from the network. */
export function OfflineLockedScreen() {
  const { session } = useServices();
  const [isBusy, setIsBusy] = useState(false);
  const tryAgain = async () => {
    setIsBusy(true);
    await session.resume();
    setIsBusy(false);
  };
  return (
    <MessageScreen title={words.lockedTitle} icon={<WifiOff aria-hidden size={40} />}>
      <p>{words.lockedText}</p>
      <Button isBusy={isBusy} onClick={() => void tryAgain()}>
        {isBusy ? words.trying : words.tryAgain}
      </Button>
    </MessageScreen>
  );
}
