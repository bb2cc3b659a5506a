import { Clock } from 'lucide-react';
import { Button } from '#ui/button.tsx';
import { MessageScreen } from '#ui/screen.tsx';
import { words } from './words.ts';

interface SessionExpiredProps {
  /** The server's sentence. */
  message: string;
  onGoToLogin(): void;
}

export function SessionExpiredScreen({ message, onGoToLogin }: SessionExpiredProps) {
  return (
    <MessageScreen title={words.expiredTitle} icon={<Clock aria-hidden size={40} />}>
      <p>{message}</p>
      <Button onClick={onGoToLogin}>{words.goToLogin}</Button>
    </MessageScreen>
  );
}
