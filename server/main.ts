import { readConfig } from './config/config.ts';
import { exitOnStartupError } from './config/startup-error.ts';
import { serve } from './http/serve.ts';

await exitOnStartupError(() => serve({ config: readConfig(process.env) }));
