/**
 * The faulty stream between one tab and one of the server's processes: events come late, twice, torn
 * or not at all, and the connection breaks.
 */
import type { EventsApi } from '#api/events.ts';
import { ApiFailure, noAnswer } from '#api/failure.ts';
import type { EventHub, StreamEvent } from '#tests/fakes/event-hub.ts';
import { type Chance, turns } from './chance.ts';
import type { Sky } from './weather.ts';

export interface WireNeeds {
  chance: Chance;
  userId: string;
  hub(): EventHub;
  sky(): Sky;
  isReachable(): boolean;
  log(line: string): void;
  /** Events under way: one more, or one less. */
  onUnderWay(change: 1 | -1): void;
}

type Fate = 'fine' | 'lost' | 'twice' | 'torn' | 'cut';

/** How often an event meets something. */
const faultRate: Readonly<Record<Sky, number>> = { clear: 0, calm: 0.01, rough: 0.08, storm: 0.3 };
const fates: Readonly<Record<Exclude<Fate, 'fine'>, number>> = {
  lost: 4,
  twice: 2,
  torn: 2,
  cut: 2,
};

const broken = () => noAnswer('network', 'The stream broke.');

export function createWire(needs: WireNeeds): EventsApi {
  const { chance, log } = needs;
  const fateOf = (): Fate =>
    chance.isTrue(faultRate[needs.sky()]) ? chance.weighted(fates) : 'fine';
  const way = () => turns(chance.isTrue(0.15) ? chance.whole(60) : chance.whole(4));

  return {
    async listenForChanges({ signal, area, onOpen, onHello, onRows, onUnreadable, onChange }) {
      await way();
      if (signal.aborted) return;
      if (!needs.isReachable() || fateOf() === 'cut') throw broken();
      const events: StreamEvent[] = [];
      const state = { isOver: false };
      const disconnect = needs.hub().connect({
        userId: needs.userId,
        area,
        send: (event) => {
          events.push(event);
          needs.onUnderWay(1);
        },
        onEnd: () => {
          state.isOver = true;
        },
      });
      const hear = (event: StreamEvent) => {
        if (event.name === 'hello') return onHello(event.at);
        if (event.name === 'change') return onChange();
        onRows(structuredClone(event.batch));
      };
      try {
        await way();
        if (signal.aborted) return;
        onOpen();
        for (;;) {
          // What was sent arrives, even after the process that sent it has ended.
          const event = events.shift();
          if (!event && state.isOver) return;
          await (event ? way() : turns(1));
          if (signal.aborted || !needs.isReachable()) {
            if (event) events.push(event);
            throw broken();
          }
          if (!event) continue;
          needs.onUnderWay(-1);
          const fate = fateOf();
          log(`stream ${event.name} ${fate}`);
          if (fate === 'cut') throw broken();
          if (fate === 'torn') onUnreadable();
          else if (fate !== 'lost') hear(event);
          if (fate === 'twice') hear(event);
        }
      } catch (error) {
        if (signal.aborted) return;
        throw error instanceof ApiFailure ? error : broken();
      } finally {
        disconnect();
        for (const _ of events) needs.onUnderWay(-1);
      }
    },
  };
}
