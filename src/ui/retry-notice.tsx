import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './card.tsx';

interface RetryNoticeProps {
  icon?: ReactNode;
  text: string;
  label: string;
  isBusy: boolean;
  onRetry(): void;
  children?: ReactNode;
}

/** Placeholder for a list or record that failed to load. */
export function RetryNotice({ icon, text, label, isBusy, onRetry, children }: RetryNoticeProps) {
  return (
    <Notice icon={icon} text={text} isAlert>
      {children}
      <Button isBusy={isBusy} onClick={onRetry}>
        {label}
      </Button>
    </Notice>
  );
}
