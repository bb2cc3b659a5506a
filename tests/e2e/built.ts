/** Global set-up of the browser tests: builds the current source. */
import { ensureBuilt } from '#server/commands/prepare.mjs';

export default ensureBuilt;
