/** Lazy-loaded parts of the app (`groups` in vite.config.ts). */
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { afterFirstScreen } from '#ui/first-screen.ts';

const retryMs = 5_000;

async function retryDelay(): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer);
      window.removeEventListener('online', go);
      resolve();
    };
    const timer = setTimeout(go, retryMs);
    window.addEventListener('online', go);
  });
}

/** Never rejects: retries until the chunk loads. */
export async function importWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch {
      await retryDelay();
    }
  }
}

/** A component loaded after the first screen is usable; a failed load does not break the screen. */
export function lazyPart(load: () => Promise<ComponentType>): ComponentType {
  const Part = lazy(async () => {
    await afterFirstScreen();
    return { default: await importWithRetry(load) };
  });
  return function LazyPart() {
    return (
      <Suspense>
        <Part />
      </Suspense>
    );
  };
}

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
