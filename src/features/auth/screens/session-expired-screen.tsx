import { Clock } from 'lucide-react';
import { auth as words } from '#messages/en/auth.ts';
import { Button } from '#ui/button.tsx';
import { MessageScreen } from '#ui/screen.tsx';

interface SessionExpiredProps {
  /** The server's sentence. */
  message: string;
  /** Changes that wait to be sent. */
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
