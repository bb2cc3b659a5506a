// @ts-check
// `npm run build`: the app and the server in dist, if missing or stale.
import { ensureBuilt, ensureInstalled, orExplain } from './prepare.mjs';

await orExplain(() => {
  ensureInstalled();
  ensureBuilt();
});
