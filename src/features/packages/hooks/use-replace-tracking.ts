/** Never queued: it must be certain that the link shared before has ended. */
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

/** `current`: the view with the newest link that this phone knows of. */
export function useReplaceTracking(view: PackageView) {
  const { api, engine } = useSignedIn();
  const keyed = useKeyedCall();
  const noteTold = useNoteTold();
  const [isBusy, setIsBusy] = useState(false);
  const [after, setAfter] = useState<Package | null>(null);
  // Until the pull brings the row, the old link must not be shared.
  const isAhead = after !== null && after.version > view.version;
  const current = isAhead ? { ...view, trackingPath: after.trackingPath } : view;

  const replace = async (): Promise<Replaced> => {
    setIsBusy(true);
    try {
      const body = { replaceTracking: current.trackingPath };
      setAfter(await keyed(view.id, body, (key) => api.replaceTracking(view.id, key)));
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
