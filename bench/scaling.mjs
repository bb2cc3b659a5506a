// @ts-check
/** Names of the costs from which docs/scaling.md computes what a machine carries. */
export const costs = {
  change: 'a change (create or accept), of the processor',
  read: 'a read of what changed, of the processor',
  idleStream: 'an open stream, of the processor',
  batch: 'a batch to a stream, of the processor',
  row: 'a row in a batch to a stream, of the processor',
  rowBytes: 'data per row and stream',
};
