import { useAtom } from 'jotai';
import { useSignedIn } from '#data/services.ts';
import {
  type DeliveryDraft,
  deliveryDraftsAtom,
  noDelivery,
  withDeliveryDraft,
} from '#state/delivery-drafts.ts';
import { editDraftKey } from '#state/package-drafts.ts';

/** What was typed so far to deliver, or return, this package. */
export function useDeliveryDraft(packageId: string) {
  const { userInfo } = useSignedIn();
  const [drafts, setDrafts] = useAtom(deliveryDraftsAtom);
  const key = editDraftKey(userInfo.id, packageId);
  const draft: DeliveryDraft = { ...noDelivery, ...drafts[key] };
  return {
    draft,
    change: (changes: Partial<DeliveryDraft>) =>
      setDrafts((now) => withDeliveryDraft(now, key, { ...noDelivery, ...now[key], ...changes })),
    clear: () => setDrafts((now) => withDeliveryDraft(now, key, null)),
  };
}
