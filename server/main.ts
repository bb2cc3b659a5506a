/** The server's process, with its settings from the environment. */
import { readConfig } from './config.ts';
import { orExplain, serve } from './serve.ts';

await orExplain(() => serve({ config: readConfig(process.env) }));
