import { useAtom } from 'jotai';
import { useSignedIn } from '#data/services.ts';
import type { DeliveryDraft } from '#state/delivery-draft.ts';
import {
  type DeliverySheet,
  deliveryDraftOf,
  deliveryDraftsAtom,
  withoutDraft,
  withSheet,
  withTyped,
} from '#state/delivery-drafts.ts';

/** The draft of a package's sheet, and whether the sheet is open. */
export function useDeliveryDraft(packageId: string, sheet: DeliverySheet) {
  const { userInfo } = useSignedIn();
  const [drafts, setDrafts] = useAtom(deliveryDraftsAtom);
  const place = { userId: userInfo.id, packageId, sheet };
  return {
    ...deliveryDraftOf(drafts, place),
    open: () => setDrafts((now) => withSheet(now, place, true)),
    close: () => setDrafts((now) => withSheet(now, place, false)),
    change: (typed: Partial<DeliveryDraft>) => setDrafts((now) => withTyped(now, place, typed)),
    /** It is done: closes as well. */
    clear: () => setDrafts((now) => withoutDraft(now, place)),
  };
}
