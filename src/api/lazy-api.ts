import { type Lazy, lazyProxy } from '#domain/lazy-proxy.ts';
import type { Api } from './api.ts';
import { ApiFailure } from './failure.ts';
import type { ApiOptions } from './ports.ts';

/** All calls (api.ts); code that does not come is a failure of the network. */
export function createLazyApi(options: ApiOptions): Lazy<Api> {
  return lazyProxy(async () => {
    try {
      return (await import('./api.ts')).createApi(options);
    } catch (cause) {
      const message = 'A part of the app could not be loaded.';
      throw new ApiFailure({ kind: 'network', status: 0, code: '', message }, undefined, { cause });
    }
  });
}
