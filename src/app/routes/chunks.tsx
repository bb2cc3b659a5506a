/** Parts of the app that come in chunks of their own (`groups` in vite.config.ts). */
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { afterFirstScreen } from '#ui/first-screen.ts';

const retryMs = 5_000;

/** Resolves when the network returns, or after `retryMs`. */
async function nextChance(): Promise<void> {
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

/** Never rejects: a chunk that fails to load is requested again. */
export async function importWithRetry<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch {
      await nextChance();
    }
  }
}

/** A component beside the screen, loaded after the first screen is usable; its loss breaks no screen. */
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

/** The screens of one module. `bring` loads it and rejects where it does not come. */
export function chunkOf<Screens extends object>(load: () => Promise<Screens>) {
  let screens: Screens | null = null;
  const bring = async () => {
    screens ??= await load();
    return screens;
  };
  /**
   * A screen that has come already is drawn at once: React would hold a lazy one back for 300 ms
   * after it has shown that one is coming, so that nothing flickers.
   */
  function screen<Name extends keyof Screens>(name: Name) {
    type Screen = Screens[Name] & ComponentType;
    const Lazy = lazy(async () => ({ default: (await bring())[name] as Screen }));
    return function LoadedScreen(props) {
      const [{ Shown }] = useState(() => ({ Shown: (screens?.[name] ?? Lazy) as ComponentType }));
      return <Shown {...props} />;
    } as Screen;
  }
  return { bring, screen };
}
