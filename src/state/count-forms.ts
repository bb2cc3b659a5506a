/** Counts what is typed and not sent, before a log-out or the end of a session deletes it. */
import { atom } from 'jotai';
import { noDelivery } from './delivery-draft.ts';
import { typedKeys } from './forgettable.ts';
import { readStored } from './safe-storage.ts';
import { userDraftsAtom } from './users.ts';

type Kept = Readonly<Record<string, unknown>>;

const recordOf = (kept: unknown) => (typeof kept === 'object' ? (kept ?? {}) : {}) as Kept;

/** Ignores which sheet is open, and a form's initial values. */
const isTyped = (form: unknown, initial: Kept = {}) =>
  Object.entries(recordOf(form)).some(
    ([name, value]) => name !== 'isOpen' && value !== (name in initial ? initial[name] : ''),
  );

/**
 * Counts the unsent forms in storage, thus of all tabs. Drafts about other users are in their tab's
 * memory only.
 */
export const countFormsAtom = atom(null, (get): number => {
  const { added, others } = get(userDraftsAtom);
  const sheets = Object.values(recordOf(readStored(typedKeys.deliveryDrafts)));
  const forms = [
    ...[typedKeys.packageDraft, typedKeys.againDraft].map(
      (key) => recordOf(readStored(key)).packageId,
    ),
    ...Object.values(recordOf(readStored(typedKeys.editDrafts))),
    ...sheets.map((sheet) => isTyped(sheet, noDelivery)),
    readStored(typedKeys.profileDraft),
    ...Object.values(others),
    isTyped(added),
  ];
  return forms.filter(Boolean).length;
});
