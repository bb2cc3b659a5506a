import { MapPin } from 'lucide-react';
import { useNow } from '#data/use-now.ts';
import { usePositions } from '#data/use-positions.ts';
import { navigationLink } from '#domain/contact-links.ts';
import { relativeTime } from '#domain/dates.ts';
import { distanceText } from '#domain/distance.ts';
import { displayName, type Party } from '#domain/user.ts';
import { position as words } from '#messages/en/position.ts';
import { buttonClass } from '#ui/button.tsx';
import layout from '#ui/stack.module.css';
import css from './courier-place.module.css';

/** For dispatchers: when the courier was seen last, and where; nothing if they do not share it. */
export function CourierPlace({ courier }: { courier: Party }) {
  const found = usePositions().get(courier.id);
  const nowMs = useNow();
  if (!found) return null;
  const { lat, lng, accuracy, at } = found;
  // Between two ticks of the phone's clock, or by a server whose clock is ahead.
  const ago = relativeTime(at, Math.max(nowMs, Date.parse(at)));
  const link = navigationLink(displayName(courier), { lat, lng }, navigator.userAgent);
  return (
    <p className={`${layout.row} ${css.seen}`}>
      <span className={layout.soft}>
        {words.seen(ago ?? '')}, {words.within(distanceText(accuracy))}
      </span>
      <a className={buttonClass('plain')} {...link}>
        <MapPin aria-hidden size={18} />
        {words.show}
      </a>
    </p>
  );
}
