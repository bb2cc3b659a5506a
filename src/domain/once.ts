/**
 * What `make` makes, made when it is first asked for: a format of Intl costs a cheap phone some ten
 * milliseconds, which a screen that shows no such thing does not wait for.
 */
export function once<Made extends object>(make: () => Made): () => Made {
  let made: Made | null = null;
  return () => {
    made ??= make();
    return made;
  };
}
