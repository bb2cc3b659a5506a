import { useAtomValue } from 'jotai';
import { HardDrive } from 'lucide-react';
import type { ReactNode } from 'react';
import { storageFaultAtom } from '#app/session/session.ts';
import { app as words } from '#messages/en/app.ts';
import { sessionAtom } from '#state/session.ts';
import { Button } from '#ui/button.tsx';
import { Frame } from '#ui/frame.tsx';
import { MessageScreen } from '#ui/screen.tsx';

/** The storage chunk is loaded by the time storage fails. */
async function goOnWithout() {
  const { goOnWithoutStorage } = await import('#app/session/phone-storage.ts');
  goOnWithoutStorage();
}

type Shown = 'blocked' | 'lost' | 'full' | 'newer';

function StorageScreen({ fault }: { fault: Shown }) {
  const { title, text } = words.storage.screens[fault];
  return (
    <Frame>
      <MessageScreen title={title} icon={<HardDrive aria-hidden size={40} />}>
        <p role="status">{text}</p>
        {fault !== 'blocked' && (
          <>
            <Button onClick={() => window.location.reload()}>{words.storage.reload}</Button>
            {fault !== 'newer' && (
              <Button tone="plain" onClick={() => void goOnWithout()}>
                {words.storage.without}
              </Button>
            )}
          </>
        )}
      </MessageScreen>
    </Frame>
  );
}

/**
 * Shows a blocked upgrade instead of hanging. After a sign-in, faults other than that and a newer
 * version's database are left to the storage line.
 */
export function StorageGate({ children }: { children: ReactNode }) {
  const fault = useAtomValue(storageFaultAtom);
  const isInside = useAtomValue(sessionAtom).kind === 'signedIn';
  if (fault === 'blocked' || fault === 'newer') return <StorageScreen fault={fault} />;
  if (!isInside && (fault === 'lost' || fault === 'full')) return <StorageScreen fault={fault} />;
  return children;
}
