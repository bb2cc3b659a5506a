/**
 * Operations in flight, for the 'Sending' chip: broadcast by the sending tab. Never stored, since a
 * kill would leave an entry behind.
 */
import * as v from 'valibot';
import type { OutboxRow } from '#db/user-database.ts';
import type { Ports } from '#sync/ports.ts';

export interface InFlight {
  operationId: string;
  lane: string;
}

/** Expires broadcasts of a killed tab; a frozen one has lost its lease by then. */
export const lapseMs = 45_000;

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
}) {
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
    /** Returns a function that ends it. */
    begin({ id: operationId, lane }: Pick<OutboxRow, 'id' | 'lane'>) {
      const sending = { operationId, lane };
      own.add(sending);
      // The previous sender has handed over the lease.
      heard = [];
      show();
      broadcast();
      return () => {
        own.delete(sending);
        show();
        broadcast();
      };
    },
    hear(message: unknown) {
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
