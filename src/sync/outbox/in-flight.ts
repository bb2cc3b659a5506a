/**
 * What is on its way to the server just now, for the chip 'Sending'. One tab sends at a time, under
 * the lease, and tells the others what it has under way. In memory only: in the database it could
 * be left behind by a kill.
 */
import * as v from 'valibot';
import type { OutboxRow } from '#db/user-database.ts';
import type { Ports } from '#sync/ports.ts';

export interface InFlight {
  operationId: string;
  lane: string;
}

/** A tab that told and was killed tells no more; a frozen one is taken over by then. */
export const lapseMs = 45_000;

export interface InFlightTracker {
  /** Returns what ends it. */
  begin(row: Pick<OutboxRow, 'id' | 'lane'>): () => void;
  /** What another tab has said, if it is about this. */
  hear(message: unknown): void;
  /** No timer any more. */
  stop(): void;
}

const broadcastSchema = v.object({
  kind: v.literal('sending'),
  sending: v.array(v.object({ operationId: v.string(), lane: v.string() })),
});

type BroadcastMessage = v.InferOutput<typeof broadcastSchema>;

const isBroadcast = (message: unknown): message is BroadcastMessage =>
  v.is(broadcastSchema, message);

export function createInFlight({
  ports: { channel, clock },
  onChange,
}: {
  ports: Pick<Ports, 'channel' | 'clock'>;
  onChange(sending: readonly InFlight[]): void;
}): InFlightTracker {
  const own = new Set<InFlight>();
  let heard: readonly InFlight[] = [];
  let cancelLapse = () => {};

  function show() {
    onChange([...own, ...heard]);
  }

  function broadcast() {
    const message: BroadcastMessage = { kind: 'sending', sending: [...own] };
    channel.post(message);
  }

  return {
    begin({ id: operationId, lane }) {
      const sending = { operationId, lane };
      own.add(sending);
      // Whoever sent before has handed over.
      heard = [];
      show();
      broadcast();
      return () => {
        own.delete(sending);
        show();
        broadcast();
      };
    },
    hear(message) {
      if (!isBroadcast(message)) return;
      cancelLapse();
      heard = message.sending;
      show();
      if (heard.length === 0) return;
      cancelLapse = clock.after(lapseMs, () => {
        heard = [];
        show();
      });
    },
    stop: () => cancelLapse(),
  };
}
