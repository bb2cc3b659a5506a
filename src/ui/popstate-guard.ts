/**
 * Hears of the browser's Back before the router does. A window calls its listeners in the order in
 * which they came, capturing or not: this one has to be there first.
 */
type Hold = (event: PopStateEvent) => void;

const holds = new Set<Hold>();

/** To be called once, before the router is there. */
export function preparePopstateGuard(): void {
  window.addEventListener('popstate', (event) => {
    for (const hold of holds) hold(event);
  });
}

/** `hold` may keep the step from the router (stopImmediatePropagation). Returns what ends it. */
export function guardPopstate(hold: Hold): () => void {
  holds.add(hold);
  return () => {
    holds.delete(hold);
  };
}
