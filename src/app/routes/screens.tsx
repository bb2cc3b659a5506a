/** The screens, which come in files of their own, and what of them is asked for ahead of time. */
import { type ComponentType, lazy, useState } from 'react';
import { maySessionBeHeld } from '#app/session/session-hint.ts';

interface Part<Screens> {
  load(): Promise<Screens>;
  /** Null until they have come. */
  screens: Screens | null;
}

function partOf<Screens>(bring: () => Promise<Screens>): Part<Screens> {
  const part: Part<Screens> = {
    load: async () => {
      part.screens ??= await bring();
      return part.screens;
    },
    screens: null,
  };
  return part;
}

const auth = partOf(() => import('#features/auth/screens/auth-screen.tsx'));
const first = partOf(async () => (await import('./first-screens.tsx')).screens);
const lists = partOf(async () => (await import('./list-screens.tsx')).screens);
const others = partOf(async () => (await import('./other-screens.tsx')).screens);

/**
 * What has come already is drawn at once: React would hold a lazy screen back for 300 ms after it has
 * shown that one is coming, so that nothing flickers.
 */
function screenOf<Screens, Props extends object>(
  part: Part<Screens>,
  pick: (screens: Screens) => ComponentType<Props>,
): ComponentType<Props> {
  const Coming = lazy(async () => ({ default: pick(await part.load()) }));
  return function Screen(props) {
    const [{ Here }] = useState(() => ({
      Here: part.screens ? pick(part.screens) : (Coming as ComponentType<Props>),
    }));
    return <Here {...props} />;
  };
}

export const AuthScreen = screenOf(auth, (screens) => screens.AuthScreen);

function screen<Name extends string>(part: Part<Record<Name, ComponentType>>, name: Name) {
  const Screen = screenOf(part, (screens) => screens[name]);
  return <Screen />;
}

/** Made once: a lazy component made during rendering would be a new one each time. */
export const elements = {
  inside: screen(first, 'Inside'),
  shell: screen(first, 'Shell'),
  plainShell: screen(first, 'PlainShell'),
  home: screen(first, 'Home'),
  trackingPending: screen(lists, 'TrackingPending'),
  trackingInTransit: screen(lists, 'TrackingInTransit'),
  deliveriesPending: screen(lists, 'DeliveriesPending'),
  deliveriesInTransit: screen(lists, 'DeliveriesInTransit'),
  deliveriesAll: screen(lists, 'DeliveriesAll'),
  account: screen(others, 'Account'),
  personalInfo: screen(others, 'PersonalInfo'),
  security: screen(others, 'Security'),
  notifications: screen(others, 'Notifications'),
  editUser: screen(others, 'EditUser'),
  packageDetail: screen(others, 'PackageDetail'),
  editPackage: screen(others, 'EditPackage'),
  newPackage: screen(others, 'NewPackage'),
  outbox: screen(others, 'Outbox'),
  payment: screen(others, 'Payment'),
  deposit: screen(others, 'Deposit'),
  usersList: screen(others, 'UsersList'),
  newUser: screen(others, 'NewUser'),
};

export const isListAddress = (path: string): boolean => /^\/(tracking|delivery)(\/|$)/.test(path);

function partsOf(path: string) {
  if (!maySessionBeHeld()) return [auth];
  if (path === '/' || path === '/home') return [first];
  if (isListAddress(path)) return [first, lists];
  return [first, others];
}

/**
 * The files of the screen that the page begins with, while the storage opens. Never rejects: a screen
 * asks for its files once more, and says so where they do not come.
 */
export async function bringScreen(path: string): Promise<void> {
  await Promise.allSettled(partsOf(path).map(({ load }) => load()));
}
