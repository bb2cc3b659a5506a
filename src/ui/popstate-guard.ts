/**
 * Runs before the router's popstate listener. A window calls its listeners in order of
 * registration, capturing or not, so this one must be registered first.
 */
type Hold = (event: PopStateEvent) => void;

const holds = new Set<Hold>();

/** Call once, before the router is created. */
export function preparePopstateGuard(): void {
  window.addEventListener('popstate', (event) => {
    for (const hold of holds) hold(event);
  });
}

/** `hold` may hide the event from the router (stopImmediatePropagation). Returns unsubscribe. */
export function guardPopstate(hold: Hold): () => void {
  holds.add(hold);
  return () => {
    holds.delete(hold);
  };
}
