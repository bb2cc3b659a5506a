/** The faulty network between one tab and the server: the engine's port. */
import { ApiFailure } from '#api/failure.ts';
import { outcomeOf } from '#domain/outcome.ts';
import type { SyncApi } from '#sync/ports.ts';
import {
  apiOf,
  type Mutation,
  type Request,
  type StrictServer,
} from '#tests/fakes/strict-server.ts';
import { turns } from './chance.ts';
import type { Weather } from './weather.ts';

export interface LineNeeds {
  server: StrictServer;
  userId: string;
  isReachable(): boolean;
  weatherFor(isMutation: boolean): Weather;
  /** A request its sender has given up and that will still arrive. */
  float(arrival: Promise<void>): void;
  onPull(): void;
  /** A mutation is sent. */
  onSent(request: Mutation): void;
  /** An intermediary refused a request that may have been applied. */
  onDoubt(key: string): void;
  log(line: string): void;
}

function nameOf(request: Request): string {
  return 'key' in request ? `${request.name} ${request.key.slice(-4)}` : request.name;
}

export function createLine(needs: LineNeeds): SyncApi {
  const { server, userId } = needs;

  /** Carries a request that has arrived, up to its answer. */
  async function arrive(request: Request, work: number): Promise<unknown> {
    const answer = server.begin(userId, request);
    await turns(work);
    return answer();
  }

  async function exchange<T>(request: Request): Promise<T> {
    const weather = needs.weatherFor('key' in request);
    if ('key' in request) needs.onSent(request);
    if ('since' in request) needs.onPull();
    await turns(weather.there);
    const fail = () => {
      needs.log(`${nameOf(request)} ${weather.meets} ${weather.failure.message}`);
      const isRefusal = outcomeOf(weather.failure) === 'rejected';
      if (isRefusal && 'key' in request) needs.onDoubt(request.key);
      return new ApiFailure(weather.failure);
    };
    if (!needs.isReachable()) {
      throw new ApiFailure({ kind: 'network', status: 0, code: '', message: 'offline' });
    }
    if (weather.meets === 'before') {
      await turns(weather.back);
      throw fail();
    }
    if (weather.meets === 'late') {
      const later = turns(weather.back * 5).then(() => arrive(request, weather.work));
      needs.float(later.then(ignore, ignoreRefusal));
      throw fail();
    }
    try {
      const answer = await arrive(request, weather.work);
      if (weather.meets === 'nothing') return answer as T;
    } catch (error) {
      if (weather.meets === 'nothing' || !(error instanceof ApiFailure)) throw error;
    } finally {
      await turns(weather.back);
    }
    throw fail();
  }

  return apiOf(exchange);
}

function ignore() {}

function ignoreRefusal(error: unknown) {
  if (!(error instanceof ApiFailure)) throw error;
}
