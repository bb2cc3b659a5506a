import { useCallback, useEffect, useState } from 'react';
import { useSignedIn } from '#data/services.ts';
import { useActor } from '#data/use-actor.ts';
import { workingAreaOf } from '#data/use-working-area.ts';
import { pushKindsOf } from '#domain/push.ts';
import {
  type Change,
  currentEndpoint,
  pushAbility,
  subscribe,
  turnOff,
  turnOn,
} from '#features/notifications/subscriber.ts';
import { notifications as words } from '#messages/en/notifications.ts';
import { type PushChoice, readPushChoice } from '#state/push-choice.ts';
import { showError, showInfo, showSuccess } from '#ui/toast.tsx';

type State =
  | { kind: 'loading' | 'unsupported' | 'install' | 'blocked' | 'off' }
  | { kind: 'on'; choice: PushChoice };

async function readState(userId: string): Promise<State> {
  const ability = pushAbility();
  if (ability === 'askable') return { kind: 'off' };
  if (ability !== 'granted') return { kind: ability };
  const choice = readPushChoice(userId);
  const isSubscribed = choice !== null && (await currentEndpoint()) !== null;
  return isSubscribed ? { kind: 'on', choice } : { kind: 'off' };
}

/** A shared subject: each toast replaces the previous one. */
const about = { subject: 'notifications' };

function showOutcome(outcome: Change, success: string): void {
  if (outcome.kind === 'done') showSuccess(success, about);
  else if (outcome.kind === 'refused') showError(outcome.message || words.failed, about);
  else if (outcome.kind === 'needsNetwork') showError(words.needsNetwork, about);
  else if (outcome.kind === 'noService') showError(words.noService, about);
  else showInfo(words.blocked.title, about);
}

export type Push = ReturnType<typeof usePush>;

export function usePush() {
  const { api, db, userInfo } = useSignedIn();
  const kinds = pushKindsOf(useActor().role);
  const [state, setState] = useState<State>({ kind: 'loading' });
  const [isBusy, setIsBusy] = useState(false);
  /** The requested setting, until it is applied or reverted. */
  const [wanted, setWanted] = useState<PushChoice | null>(null);
  const userId = userInfo.id;
  const whose = { api, userId, readArea: () => workingAreaOf({ db }) };
  const look = useCallback(() => readState(userId).then(setState), [userId]);

  useEffect(() => {
    void look();
    // The permission may have changed in the browser's settings.
    const lookAgain = () => void look();
    document.addEventListener('visibilitychange', lookAgain);
    return () => document.removeEventListener('visibilitychange', lookAgain);
  }, [look]);

  const perform = async (work: () => Promise<Change>, success: string) => {
    if (isBusy) return;
    setIsBusy(true);
    const outcome = await work();
    showOutcome(outcome, success);
    await look();
    setWanted(null);
    setIsBusy(false);
  };

  return {
    /** Once the permission may have changed: says so if it has not. */
    lookAgain: () => {
      if (pushAbility() === 'blocked') showInfo(words.blocked.still, about);
      void look();
    },
    kinds,
    isBusy,
    state: wanted && state.kind === 'on' ? { ...state, choice: wanted } : state,
    turnOn: () => void perform(() => turnOn(whose, kinds), words.turnedOn),
    turnOff: () => void perform(() => turnOff(whose), words.turnedOff),
    choose: (choice: PushChoice) => {
      if (isBusy) return;
      setWanted(choice);
      void (choice.kinds.length > 0
        ? perform(() => subscribe(whose, choice), words.saved)
        : perform(() => turnOff(whose), words.turnedOff));
    },
  };
}
