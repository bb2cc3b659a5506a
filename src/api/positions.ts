/** Positions of couriers. Never queued: an old place helps no one. */
import type { PositionBody } from '#contract/position.ts';
import type { ApiClient } from './client.ts';

export type PositionsApi = ReturnType<typeof createPositionsApi>;

export const createPositionsApi = (client: ApiClient) => ({
  putPosition: (body: PositionBody) => client.call('putPosition', { body }, () => undefined),
  deletePosition: () => client.call('deletePosition', {}, () => undefined),
  /** For dispatchers. */
  listPositions: () => client.call('listPositions', {}, (positions) => positions),
});
