/**
 * In place of every screen: a session has ended, cannot be opened without the network, or the device
 * has no storage for it.
 */
import { Clock, HardDrive, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { startTriggers } from '#app/background/sync-triggers.ts';
import { useServices } from '#data/services.ts';
import type { StorageFault } from '#db/storage-fault.ts';
import { auth as words } from '#messages/en/auth.ts';
import { device as deviceWords } from '#messages/en/device.ts';
import type { Session } from '#state/session.ts';
import { Button } from '#ui/button.tsx';
import { Frame } from '#ui/frame.tsx';
import { MessageScreen } from '#ui/screen.tsx';

type Of<Kind extends Session['kind']> = Extract<Session, { kind: Kind }>;

/** `onLeave`: to the sign-in form. */
export function Expired({
  message,
  unsent,
  deleted,
  onLeave,
}: Of<'expired'> & { onLeave(): void }) {
  return (
    <Frame>
      <MessageScreen title={words.expiredTitle} icon={<Clock aria-hidden size={40} />}>
        <p>{message}</p>
        {unsent > 0 && <p>{words.expiredUnsent(unsent)}</p>}
        {deleted > 0 && <p>{words.expiredDeleted(deleted)}</p>}
        <Button onClick={onLeave}>{words.goToLogin}</Button>
      </MessageScreen>
    </Frame>
  );
}

const checkAgainMs = 10_000;

/**
 * A known device without local data to open and without an answer from the network. Retries
 * automatically until the network is back.
 */
export function OfflineLocked({ unsent, isInMemory }: Of<'offlineLocked'>) {
  const { session } = useServices();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    let isChecking = false;
    const check = async () => {
      if (isChecking) return;
      isChecking = true;
      await session.resume();
      isChecking = false;
    };
    const stop = startTriggers({ request: () => void check() });
    const timer = setInterval(() => void check(), checkAgainMs);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [session]);
  const tryAgain = async () => {
    setIsBusy(true);
    await session.resume();
    setIsBusy(false);
  };
  return (
    <Frame>
      <MessageScreen title={words.lockedTitle} icon={<WifiOff aria-hidden size={40} />}>
        <p>{isInMemory ? words.lockedInMemory : words.lockedText}</p>
        {unsent > 0 && <p>{words.lockedUnsent(unsent)}</p>}
        <Button isBusy={isBusy} onClick={() => void tryAgain()}>
          {isBusy ? words.trying : words.tryAgain}
        </Button>
      </MessageScreen>
    </Frame>
  );
}

/** The storage chunk is loaded by the time storage fails. */
async function goOnWithout() {
  const { goOnWithoutStorage } = await import('#app/session/phone-storage.ts');
  goOnWithoutStorage();
}

export function StorageScreen({ fault }: { fault: Exclude<StorageFault, 'none' | 'outdated'> }) {
  const { title, text } = deviceWords.storage.screens[fault];
  return (
    <Frame>
      <MessageScreen title={title} icon={<HardDrive aria-hidden size={40} />}>
        <p role="status">{text}</p>
        {fault !== 'blocked' && (
          <>
            <Button onClick={() => window.location.reload()}>{deviceWords.storage.reload}</Button>
            {fault !== 'newer' && (
              <Button tone="plain" onClick={() => void goOnWithout()}>
                {deviceWords.storage.without}
              </Button>
            )}
          </>
        )}
      </MessageScreen>
    </Frame>
  );
}
