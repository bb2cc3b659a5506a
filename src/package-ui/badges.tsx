import { ChevronRight, CircleAlert, Clock, CloudUpload } from 'lucide-react';
import { Link } from 'react-router-dom';
import { useIsLaneSending } from '#data/use-outbox.ts';
import type { PackageView } from '#domain/overlay.ts';
import { packageLane } from '#domain/package-views.ts';
import { type DeliveryStatus, statusLabel } from '#domain/status.ts';
import { packages as words } from '#messages/en/packages.ts';
import badge from '#ui/badge.module.css';
import { Badge, type BadgeTone } from '#ui/badge.tsx';

/** The colour of each status, wherever it is shown. */
export const statusTones: Record<DeliveryStatus, BadgeTone> = {
  pending: 'plain',
  'in-transit': 'neutral',
  delivered: 'good',
  cancelled: 'bad',
};

/** An unconfirmed acceptance shows as requested, even with later changes on top of it. */
export function StatusBadge({ view }: { view: Pick<PackageView, 'status' | 'isAcceptRequested'> }) {
  const isRequested = view.isAcceptRequested && view.status !== 'pending';
  return (
    <Badge tone={statusTones[isRequested ? 'in-transit' : view.status]} about={words.about.status}>
      {isRequested ? words.requested : statusLabel(view.status)}
    </Badge>
  );
}

type Paid = Pick<PackageView, 'paymentStatus' | 'paymentMethod' | 'status'>;

/** Cash is due at the drop-off: until then nothing is amiss. */
function paymentTone({ paymentStatus, paymentMethod, status }: Paid): BadgeTone {
  if (paymentStatus === 'paid') return 'good';
  return paymentMethod === 'cash' && status !== 'delivered' ? 'plain' : 'warn';
}

export function PaymentBadge({ view }: { view: Paid }) {
  return (
    <Badge tone={paymentTone(view)} about={words.about.payment}>
      {words.payment[view.paymentStatus]}
    </Badge>
  );
}

function WaitingChip({ id }: { id: string }) {
  const isSending = useIsLaneSending(packageLane(id));
  const Icon = isSending ? CloudUpload : Clock;
  return (
    <Badge tone="warn" icon={<Icon aria-hidden size={16} />}>
      {isSending ? words.sending : words.waiting}
    </Badge>
  );
}

export function MarkChip({ view }: { view: Pick<PackageView, 'id' | 'mark'> }) {
  if (view.mark === 'none') return null;
  if (view.mark === 'waiting') return <WaitingChip id={view.id} />;
  return (
    <Badge tone="bad" icon={<CircleAlert aria-hidden size={16} />}>
      {words.attention}
    </Badge>
  );
}

/** The chip; for a refused change, it links to the ways to resolve it. */
export function MarkLink({ view }: { view: Pick<PackageView, 'id' | 'mark'> }) {
  if (view.mark !== 'attention') return <MarkChip view={view} />;
  return (
    <Link className={badge.link} to={`/outbox?about=${view.id}`}>
      <MarkChip view={view} />
      <ChevronRight aria-hidden size={18} />
    </Link>
  );
}
