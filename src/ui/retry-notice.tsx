import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Notice } from './card.tsx';

interface RetryNoticeProps {
  icon?: ReactNode;
  text: string;
  /** Of the button. */
  label: string;
  isBusy: boolean;
  onRetry(): void;
  /** Over the button. */
  children?: ReactNode;
}

/** What stands where a list or a record would, when it could not be loaded. */
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
