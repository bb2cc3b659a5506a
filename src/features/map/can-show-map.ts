/** Network Information is Chromium's. */
interface MaybeConnection {
  connection?: { saveData?: boolean };
}

/** They asked their phone to be thrifty, and a map is what costs most here. */
export function isSparingData(): boolean {
  const { connection } = navigator as MaybeConnection;
  return connection?.saveData === true || matchMedia('(prefers-reduced-data: reduce)').matches;
}

/** Looked at before a quarter of a megabyte is fetched that could draw nothing. */
export function hasWebGl(): boolean {
  try {
    const context = document.createElement('canvas').getContext('webgl2');
    // Browsers allow a page a handful at a time.
    context?.getExtension('WEBGL_lose_context')?.loseContext();
    return context !== null;
  } catch {
    return false;
  }
}
