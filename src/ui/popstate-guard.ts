/**
 * Runs before the router's popstate listener. A window calls its listeners in order of
 * registration, capturing or not, so this one must be registered first.
 */
type Hold = (event: PopStateEvent) => boolean;

const holds = new Set<Hold>();

/** Call once, before the router is created. */
export function preparePopstateGuard(): void {
  window.addEventListener('popstate', (event) => {
    // A question asked last is the one that is answered.
    [...holds].reverse().some((hold) => hold(event));
  });
}

/** React Router stores the index of its entries as `history.state.idx`. */
export const placeInHistory = (): number => history.state?.idx ?? 0;

/**
 * Going back from `own` or an entry above it calls `onBack` instead: the entry is restored, and the
 * router sees neither step. Returns unsubscribe.
 */
export function holdBack(own: number, onBack: () => void, isFree = () => false): () => void {
  let isReturning = false;
  const hold = (event: PopStateEvent) => {
    const at = placeInHistory();
    if (isFree() || (at >= own && !(isReturning && at === own))) return false;
    event.stopImmediatePropagation();
    isReturning = at < own;
    if (isReturning) history.go(own - at);
    else onBack();
    return true;
  };
  holds.add(hold);
  return () => {
    holds.delete(hold);
  };
}
