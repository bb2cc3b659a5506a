import { CircleAlert, Clock } from 'lucide-react';
import type { PaymentStatus } from '#contract/package.ts';
import type { PackageView, PendingMark } from '#domain/overlay.ts';
import type { DeliveryStatus } from '#domain/status.ts';
import { statusLabel } from '#domain/status.ts';
import { Badge, type BadgeTone } from '#ui/badge.tsx';
import { words } from './words.ts';

const tones: Record<DeliveryStatus, BadgeTone> = {
  pending: 'warn',
  'in-transit': 'neutral',
  delivered: 'good',
  cancelled: 'bad',
};

/** An acceptance that the server has not confirmed reads as requested, never as done. */
export function StatusBadge({ view }: { view: Pick<PackageView, 'status' | 'isAcceptRequested'> }) {
  const isRequested = view.isAcceptRequested && view.status === 'in-transit';
  return (
    <Badge tone={tones[view.status]}>
      {isRequested ? words.requested : statusLabel(view.status)}
    </Badge>
  );
}

export function PaymentBadge({ status }: { status: PaymentStatus }) {
  return <Badge tone={status === 'paid' ? 'good' : 'warn'}>{words.payment[status]}</Badge>;
}

/** The chip that says what the server does not know yet, or would not have. */
export function MarkChip({ mark }: { mark: PendingMark }) {
  if (mark === 'none') return null;
  return mark === 'waiting' ? (
    <Badge tone="neutral" icon={<Clock aria-hidden size={16} />}>
      {words.waiting}
    </Badge>
  ) : (
    <Badge tone="bad" icon={<CircleAlert aria-hidden size={16} />}>
      {words.attention}
    </Badge>
  );
}
