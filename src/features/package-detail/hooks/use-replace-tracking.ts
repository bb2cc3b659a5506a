/** Never queued: it must be certain that the link and the code shared before have ended. */
import { atom, useAtomValue, useSetAtom } from 'jotai';
import { useServerCall } from '#data/use-server-call.ts';
import { useNoteTold } from '#data/use-told-recipients.ts';
import { sentenceOfFailure } from '#domain/outcome.ts';
import type { PackageView } from '#domain/overlay.ts';
import type { Package } from '#domain/package.ts';
import { recipientLink as words } from '#messages/en/recipient-link.ts';

/** Null: it is replaced. Otherwise why not. */
export type Replaced = string | null;

/** Responses to replaced links by package id, until a pull brings the row. */
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
  const { call, isBusy } = useServerCall();
  const noteTold = useNoteTold();
  const setReplaced = useSetAtom(replacedAtom);
  const current = useNewestLink(view);

  const replace = async (): Promise<Replaced> => {
    const body = { replaceTracking: current.trackingPath };
    const called = await call(view.id, body, async (api, key) => {
      // A replay has no secrets.
      return (await api.replaceTracking(view.id, key)) ?? (await api.getPackage(view.id));
    });
    if (called.kind === 'failed') {
      const { needsNetwork, failed: otherwise } = words.replace;
      return sentenceOfFailure(called.failure, { needsNetwork, otherwise });
    }
    setReplaced((all) => ({ ...all, [view.id]: called.answer }));
    noteTold(view.id, false);
    return null;
  };
  return { current, isBusy, replace };
}
