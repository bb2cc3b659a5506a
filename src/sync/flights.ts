/**
 * What is on its way to the server just now, for the chip 'Sending'. One tab sends at a time, under
 * the lease, and tells the others what it has under way. In memory only: in the database it could
 * be left behind by a kill.
 */
import type { OutboxRow } from '#db/user-database.ts';
import type { Ports } from './ports.ts';

export interface InFlight {
  operationId: string;
  lane: string;
}

/** A tab that told and was killed tells no more; a frozen one is taken over by then. */
export const lapseMs = 45_000;

export interface Flights {
  /** Returns what ends it. */
  begin(row: Pick<OutboxRow, 'id' | 'lane'>): () => void;
  /** What another tab has said, if it is about this. */
  hear(message: unknown): void;
  /** No timer any more. */
  stop(): void;
}

interface Told {
  kind: 'sending';
  sending: readonly InFlight[];
}

function isTold(message: unknown): message is Told {
  return typeof message === 'object' && message !== null && 'sending' in message;
}

export function createFlights({
  ports: { channel, clock },
  onChange,
}: {
  ports: Pick<Ports, 'channel' | 'clock'>;
  onChange(sending: readonly InFlight[]): void;
}): Flights {
  const own = new Set<InFlight>();
  let heard: readonly InFlight[] = [];
  let cancelLapse = () => {};

  function show() {
    onChange([...own, ...heard]);
  }

  function tell() {
    const told: Told = { kind: 'sending', sending: [...own] };
    channel.post(told);
  }

  return {
    begin({ id: operationId, lane }) {
      const flight = { operationId, lane };
      own.add(flight);
      // Whoever sent before has handed over.
      heard = [];
      show();
      tell();
      return () => {
        own.delete(flight);
        show();
        tell();
      };
    },
    hear(message) {
      if (!isTold(message)) return;
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
