/** Draft of one's own profile. Outlives a reload, as package drafts do. */
import type { ProfileForm } from '#domain/validation.ts';
import { typedKeys } from './forgettable.ts';
import { hasTexts, storedAtom } from './safe-storage.ts';
import type { UserDraft } from './users.ts';

type ProfileDraft = UserDraft<ProfileForm>;

const fields = ['firstName', 'lastName', 'email', 'phoneNumber', 'address'] as const;

function isProfileDraft(stored: unknown): stored is ProfileDraft | null {
  if (stored === null) return true;
  const { base, form } = (stored ?? {}) as Partial<ProfileDraft>;
  return typeof base?.id === 'string' && hasTexts(form, fields);
}

export const profileDraftAtom = storedAtom<ProfileDraft | null>(
  typedKeys.profileDraft,
  null,
  isProfileDraft,
);
