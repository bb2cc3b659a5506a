import type { ReactNode } from 'react';
import css from './badge.module.css';
import layout from './stack.module.css';

export type BadgeTone = 'neutral' | 'good' | 'warn' | 'bad' | 'plain';

interface BadgeProps {
  tone: BadgeTone;
  icon?: ReactNode;
  /** Prefix for screen readers, which miss the visual context: 'Status: '. */
  about?: string;
  children: ReactNode;
}

export function Badge({ tone, icon, about, children }: BadgeProps) {
  return (
    <span className={`${css.badge} ${layout[tone]}`}>
      {icon}
      {about && <span className="visually-hidden">{about}</span>}
      <span>{children}</span>
    </span>
  );
}
