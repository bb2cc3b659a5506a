/** Lazy-loaded parts of screens. */
import { type ComponentType, lazy, Suspense } from 'react';
import { afterFirstScreen } from './first-screen.ts';

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
