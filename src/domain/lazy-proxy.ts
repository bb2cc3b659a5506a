/** Defers an object's code until its first use, to keep it off the first screen's critical path. */

type Method = (...args: never[]) => unknown;

export interface Lazy<T> {
  proxy: T;
  /** Loads the object. Rejects like `load`; the next call retries. */
  bring(): Promise<T>;
}

/**
 * All members of `T` are methods. Until `load` resolves, calls go to the methods of `early`; others
 * wait for the object, so they must be async.
 */
export function lazyProxy<T extends object>(
  load: () => Promise<T>,
  early: Partial<T> = {},
): Lazy<T> {
  let loading: Promise<T> | null = null;
  let present: Partial<T> = early;
  const methods = new Map<PropertyKey, Method>();

  function bring(): Promise<T> {
    loading ??= load().then(
      (object) => {
        present = object;
        return object;
      },
      (cause: unknown) => {
        loading = null;
        throw cause;
      },
    );
    return loading;
  }

  function methodOf(name: keyof T): Method {
    return (...args) => {
      const method = present[name] as Method | undefined;
      if (method) return method(...args);
      return bring().then((object) => (object[name] as Method)(...args));
    };
  }

  const proxy = new Proxy({} as T, {
    get(_, name) {
      // `await` on the proxy looks up `then`.
      if (name === 'then') return undefined;
      // A stable identity: React resubscribes when the function changes.
      const method = methods.get(name) ?? methodOf(name as keyof T);
      methods.set(name, method);
      return method;
    },
  });
  return { proxy, bring };
}
