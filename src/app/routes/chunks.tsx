/** Lazy-loaded screens (`groups` in vite.config.ts). */
import { type ComponentType, lazy, useState } from 'react';

/** The screens of one module. The `bring` of each loads the module and rejects on failure. */
export function chunkOf<Screens extends object>(load: () => Promise<Screens>) {
  let screens: Screens | null = null;
  const bring = async () => {
    screens ??= await load();
    return screens;
  };
  /** Renders a loaded screen synchronously: React delays a lazy one by 300 ms after a fallback. */
  function screen<Name extends keyof Screens>(name: Name) {
    type Screen = Screens[Name] & ComponentType;
    const Lazy = lazy(async () => ({ default: (await bring())[name] as Screen }));
    function LoadedScreen(props: object) {
      const [{ Shown }] = useState(() => ({ Shown: (screens?.[name] ?? Lazy) as ComponentType }));
      return <Shown {...props} />;
    }
    return Object.assign(LoadedScreen as Screen, { bring });
  }
  return screen;
}
