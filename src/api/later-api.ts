import type { Api } from './api.ts';
import { ApiFailure } from './failure.ts';
import type { ApiOptions } from './ports.ts';

/** All calls (api.ts), whose code comes with the first of them: nothing that is seen first needs it. */
export function createLaterApi(options: ApiOptions): { api: Api; prepare(): Promise<unknown> } {
  let loading: Promise<Api> | null = null;

  async function bring(): Promise<Api> {
    try {
      return (await import('./api.ts')).createApi(options);
    } catch (cause) {
      loading = null;
      const message = 'The network did not bring all of the app.';
      throw new ApiFailure({ kind: 'network', status: 0, code: '', message }, undefined, { cause });
    }
  }

  const whole = () => {
    loading ??= bring();
    return loading;
  };

  const call =
    <Name extends keyof Api>(name: Name) =>
    async (...args: Parameters<Api[Name]>) => {
      const method = (await whole())[name] as (...args: Parameters<Api[Name]>) => unknown;
      return method(...args);
    };

  const api = new Proxy({} as Api, {
    // Whoever awaits an object asks it for its `then`.
    get: (_, name) => (name === 'then' ? undefined : call(name as keyof Api)),
  });
  return { api, prepare: whole };
}
