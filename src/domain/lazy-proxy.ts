/** An object whose code comes with its first use, so that the first screen does not wait for it. */

type Method = (...args: never[]) => unknown;

export interface Lazy<T> {
  /** Passes each call on to the object. */
  proxy: T;
  /** Brings the object; rejects as `load` does, which the next call runs again. */
  bring(): Promise<T>;
}

/**
 * All members of `T` are methods. Until `load` has brought the object, a call goes to the method of
 * `early`; one that `early` lacks waits for the object, so it has to be async.
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
      // What awaits an object asks it for its `then`.
      if (name === 'then') return undefined;
      // The same function each time: React subscribes again when it is another.
      const method = methods.get(name) ?? methodOf(name as keyof T);
      methods.set(name, method);
      return method;
    },
  });
  return { proxy, bring };
}
