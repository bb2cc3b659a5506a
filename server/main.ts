/** The server's process, with its settings from the environment. */
import { readConfig } from './config.ts';
import { serve } from './serve.ts';
import { orExplain } from './startup-error.ts';

await orExplain(() => serve({ config: readConfig(process.env) }));
