import { type Lazy, lazyProxy } from '#domain/lazy-proxy.ts';
import type { Api } from './api.ts';
import { noAnswer } from './failure.ts';
import type { ApiOptions } from './ports.ts';

/** Loads api.ts on first use; a failed load is a network failure. */
export function createLazyApi(options: ApiOptions): Lazy<Api> {
  return lazyProxy(async () => {
    try {
      return (await import('./api.ts')).createApi(options);
    } catch (cause) {
      throw noAnswer('network', 'A part of the app could not be loaded.', cause);
    }
  });
}
