import type { ReactNode } from 'react';
import css from './badge.module.css';

export type BadgeTone = 'neutral' | 'good' | 'warn' | 'bad' | 'plain';

interface BadgeProps {
  tone: BadgeTone;
  icon?: ReactNode;
  /** What it is about, for who does not see where it stands: 'Status: '. */
  about?: string;
  children: ReactNode;
}

export function Badge({ tone, icon, about, children }: BadgeProps) {
  return (
    <span className={`${css.badge} ${css[tone]}`}>
      {icon}
      {about && <span className="visually-hidden">{about}</span>}
      <span>{children}</span>
    </span>
  );
}
