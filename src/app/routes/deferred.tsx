import { type ComponentType, lazy, Suspense } from 'react';
import { afterFirstScreen } from '#ui/first-screen.ts';

const retryMs = 5_000;

/** With the network's return, or after a while. */
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

/** Never rejects: what does not come is asked for again. */
export async function untilHere<Module>(load: () => Promise<Module>): Promise<Module> {
  for (;;) {
    try {
      return await load();
    } catch {
      await nextChance();
    }
  }
}

/** A part beside the screen, which comes once the screen stands; no screen falls where it does not. */
export function later(load: () => Promise<ComponentType>): ComponentType {
  const Part = lazy(async () => {
    await afterFirstScreen();
    return { default: await untilHere(load) };
  });
  return function Later() {
    return (
      <Suspense>
        <Part />
      </Suspense>
    );
  };
}
