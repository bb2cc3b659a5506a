import { useNow } from '#data/use-now.ts';
import { usePositions } from '#data/use-positions.ts';
import { relativeTime } from '#domain/dates.ts';
import { position as words } from '#messages/en/position.ts';

/** 'Seen 3 minutes ago', to dispatchers of a courier who shares where they are; else null. */
export function useSeen(userId: string): string | null {
  const at = usePositions().get(userId)?.at;
  const nowMs = useNow();
  // Between two ticks of the phone's clock, or by a server whose clock is ahead.
  const ago = at === undefined ? null : relativeTime(at, Math.max(nowMs, Date.parse(at)));
  return ago && words.seen(ago);
}
