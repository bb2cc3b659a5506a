/** Before the real-browser tests, however they are begun: what they open is built of what stands here. */
import { ensureBuilt } from '#server/commands/prepare.mjs';

export default ensureBuilt;
