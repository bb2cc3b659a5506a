import type { SignedIn } from '#data/services.ts';

/**
 * After each pull, reads the events of packages that this person carries or has on the way, for use
 * offline. Returns a stop function.
 */
export function keepHistories({
  engine,
  packages,
  userId,
}: Pick<SignedIn, 'engine' | 'packages'> & { userId: string }): () => void {
  let wasPulling = false;

  async function read() {
    await packages.settled();
    const own = (packages.state().views ?? []).filter(
      ({ status, sender, courier }) =>
        status === 'in-transit' && (sender.id === userId || courier?.id === userId),
    );
    await engine.readHistories(own.map(({ id }) => id));
  }

  return engine.subscribe((event) => {
    if (event.kind !== 'status') return;
    const { phase, lastFailure } = event.status;
    const isOver = wasPulling && phase !== 'pulling';
    wasPulling = phase === 'pulling';
    if (isOver && lastFailure === null) read().catch(() => undefined);
  });
}
