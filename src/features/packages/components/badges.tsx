import { ChevronRight, CircleAlert, Clock, CloudUpload } from 'lucide-react';
import { Link } from 'react-router-dom';
import type { PaymentStatus } from '#contract/package.ts';
import { useIsLaneSending } from '#data/use-outbox.ts';
import type { PackageView } from '#domain/overlay.ts';
import { packageLane } from '#domain/package-views.ts';
import { type DeliveryStatus, statusLabel } from '#domain/status.ts';
import { packages as words } from '#messages/en/packages.ts';
import badge from '#ui/badge.module.css';
import { Badge, type BadgeTone } from '#ui/badge.tsx';

const tones: Record<DeliveryStatus, BadgeTone> = {
  pending: 'warn',
  'in-transit': 'neutral',
  delivered: 'good',
  cancelled: 'bad',
};

/** An acceptance that the server has not confirmed reads as requested, whatever was done on top. */
export function StatusBadge({ view }: { view: Pick<PackageView, 'status' | 'isAcceptRequested'> }) {
  const isRequested = view.isAcceptRequested && view.status !== 'pending';
  return (
    <Badge tone={tones[isRequested ? 'in-transit' : view.status]}>
      {isRequested ? words.requested : statusLabel(view.status)}
    </Badge>
  );
}

export function PaymentBadge({ status }: { status: PaymentStatus }) {
  return <Badge tone={status === 'paid' ? 'good' : 'warn'}>{words.payment[status]}</Badge>;
}

function WaitingChip({ id }: { id: string }) {
  const isSending = useIsLaneSending(packageLane(id));
  return isSending ? (
    <Badge tone="neutral" icon={<CloudUpload aria-hidden size={16} />}>
      {words.sending}
    </Badge>
  ) : (
    <Badge tone="neutral" icon={<Clock aria-hidden size={16} />}>
      {words.waiting}
    </Badge>
  );
}

/** The chip that says what the server does not know yet, or would not have. */
export function MarkChip({ view }: { view: Pick<PackageView, 'id' | 'mark'> }) {
  if (view.mark === 'none') return null;
  if (view.mark === 'waiting') return <WaitingChip id={view.id} />;
  return (
    <Badge tone="bad" icon={<CircleAlert aria-hidden size={16} />}>
      {words.attention}
    </Badge>
  );
}

/** The chip, and where the server would not have it, the way to what can be done about it. */
export function MarkLink({ view }: { view: Pick<PackageView, 'id' | 'mark'> }) {
  if (view.mark !== 'attention') return <MarkChip view={view} />;
  return (
    <Link className={badge.link} to={`/outbox?about=${view.id}`}>
      <MarkChip view={view} />
      <ChevronRight aria-hidden size={18} />
    </Link>
  );
}
