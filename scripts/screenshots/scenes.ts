/** Every scene; those that change data other scenes show come last. */
import type { Scene } from './scene.ts';
import { accountScenes } from './scenes-account.ts';
import { authScenes } from './scenes-auth.ts';
import { edgeScenes } from './scenes-edges.ts';
import { homeScenes } from './scenes-home.ts';
import { outboxScenes } from './scenes-outbox.ts';
import { packageScenes } from './scenes-packages.ts';
import { paymentScenes } from './scenes-payments.ts';
import { payoutScenes } from './scenes-payouts.ts';
import { userScenes } from './scenes-users.ts';

export const scenes: Scene[] = [
  ...authScenes,
  ...homeScenes,
  ...packageScenes,
  ...accountScenes,
  ...paymentScenes,
  ...payoutScenes,
  ...userScenes,
  ...outboxScenes,
  ...edgeScenes,
];
