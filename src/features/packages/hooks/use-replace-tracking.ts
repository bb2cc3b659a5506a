/** Never queued: it must be certain that the link and the code shared before have ended. */
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useState } from 'react';
import { failureOf } from '#api/failure.ts';
import { useSignedIn } from '#data/services.ts';
import { useKeyedCall } from '#data/use-keyed-call.ts';
import { useNoteTold } from '#data/use-told-recipients.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import { recipientLink as words } from '#messages/en/recipient-link.ts';

/** Null: it is replaced. Otherwise why not. */
export type Replaced = string | null;

/** What replacing a link answered, by package: until the pull brings the row. */
const replacedAtom = atom<Readonly<Record<string, Package>>>({});

/** The view with the newest link and code that this phone knows of: those before must not be shared. */
export function useNewestLink(view: PackageView): PackageView {
  const after = useAtomValue(replacedAtom)[view.id];
  const isAhead = after !== undefined && after.version > view.version;
  if (!isAhead) return view;
  const { trackingPath, dropoffCode, dropoffToken } = after;
  return { ...view, trackingPath, dropoffCode, dropoffToken };
}

export function useReplaceTracking(view: PackageView) {
  const { api, engine } = useSignedIn();
  const keyed = useKeyedCall();
  const noteTold = useNoteTold();
  const [isBusy, setIsBusy] = useState(false);
  const setReplaced = useSetAtom(replacedAtom);
  const current = useNewestLink(view);

  const replace = async (): Promise<Replaced> => {
    setIsBusy(true);
    try {
      const body = { replaceTracking: current.trackingPath };
      const answer = await keyed(view.id, body, (key) => api.replaceTracking(view.id, key));
      // A replay has no secrets.
      const after = answer ?? (await api.getPackage(view.id));
      setReplaced((all) => ({ ...all, [view.id]: after }));
      noteTold(view.id, false);
      return null;
    } catch (error) {
      const { needsNetwork, failed: otherwise } = words.replace;
      return sentenceOfFailure(failureOf(error), { needsNetwork, otherwise });
    } finally {
      setIsBusy(false);
      engine.request('pull');
    }
  };
  return { current, isBusy, replace };
}
