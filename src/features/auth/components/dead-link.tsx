import { Unlink } from 'lucide-react';
import type { ReactNode } from 'react';
import { recovery as words } from '#messages/en/recovery.ts';
import { MessageScreen } from '#ui/screen.tsx';

interface DeadLinkProps {
  /** Why, and what to do. */
  text: string;
  /** Where to go on. */
  children: ReactNode;
}

/** In place of what a mailed link was to do. */
export function DeadLink({ text, children }: DeadLinkProps) {
  return (
    <MessageScreen title={words.used.title} icon={<Unlink aria-hidden size={40} />}>
      <p>{text}</p>
      {children}
    </MessageScreen>
  );
}
