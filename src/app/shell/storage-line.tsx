import { HardDrive } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useStorageFault } from '#data/use-storage.ts';
import type { StorageFault } from '#db/failure.ts';
import { app as words } from '#messages/en/app.ts';
import { Button } from '#ui/button.tsx';
import css from './storage-line.module.css';

/** A phone that comes out of the background opens its storage again within moments. */
const momentMs = 1_000;

/** Without a loss that is over before anybody could read of it. */
function useLastingFault(): StorageFault | null {
  const fault = useStorageFault();
  const [isLasting, setIsLasting] = useState(false);
  useEffect(() => {
    setIsLasting(false);
    if (fault !== 'lost') return;
    const timer = setTimeout(() => setIsLasting(true), momentMs);
    return () => clearTimeout(timer);
  }, [fault]);
  return fault === 'lost' && !isLasting ? null : fault;
}

/**
 * What is wrong with the phone's storage, for as long as it is. It takes its place from the screen
 * instead of lying over it: it may be there for as long as the app is open.
 */
export function StorageLine() {
  const fault = useLastingFault();
  return (
    <div role="status">
      {fault !== null && fault !== 'blocked' && fault !== 'newer' && (
        <div className={css.line}>
          <HardDrive aria-hidden size={20} />
          <p>{words.storage[fault]}</p>
          {fault === 'outdated' && (
            <Button onClick={() => window.location.reload()}>{words.storage.reload}</Button>
          )}
        </div>
      )}
    </div>
  );
}
