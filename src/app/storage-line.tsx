import { HardDrive } from 'lucide-react';
import { useStorageFault } from '#live/use-storage.ts';
import { Button } from '#ui/button.tsx';
import css from './storage-line.module.css';
import { words } from './words.ts';

/**
 * What is wrong with the phone's storage, for as long as it is. It takes its place from the screen
 * instead of lying over it: it may be there for as long as the app is open.
 */
export function StorageLine() {
  const fault = useStorageFault();
  return (
    <div role="status">
      {fault !== null && fault !== 'blocked' && (
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
