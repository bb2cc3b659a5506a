import type { Config } from '#server/config/config.ts';
import type { RouteKit } from '#server/http/contract-routes.ts';
import {
  createDispatcher,
  type Dispatcher,
  dispatchWhileServing,
  pace as usualPace,
} from './dispatcher.ts';
import { createSendPush } from './push-service.ts';
import { addPushRoutes } from './routes.ts';
import { ensureVapidKeys } from './vapid.ts';

const answerMs = 10_000;

interface Needs {
  kit: RouteKit;
  config: Config;
  now: () => Date;
  push?: typeof usualPace;
}

export async function addNotifications(needs: Needs): Promise<Dispatcher> {
  const { kit, config, now, push: pace = usualPace } = needs;
  const { app, db } = kit;
  const keys = await ensureVapidKeys(db, config.vapid.keys);
  const isLocalAllowed = config.isTest;
  addPushRoutes({ kit, publicKey: keys.publicKey, isLocalAllowed, now });
  const vapid = { ...keys, subject: config.vapid.subject };
  const send = createSendPush({ vapid, isLocalAllowed, timeoutMs: answerMs });
  const dispatcher = createDispatcher({ db, now, send, log: app.log, pace });
  dispatchWhileServing(app, dispatcher);
  return dispatcher;
}
