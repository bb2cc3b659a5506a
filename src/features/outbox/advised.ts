/** The primary action of a refused operation's card, per its advice (messages refusals). Pure. */
import { isConflict } from '#domain/conflict.ts';
import type { Operation } from '#domain/operation.ts';
import type { refusals } from './reasons.ts';

type Action = 'another' | 'choose' | 'discard' | 'edit' | 'profile' | 'prove' | 'retry' | 'topUp';

const advised: Readonly<Record<string, Action>> = {
  already_assigned: 'another',
  picked_up: 'discard',
  too_many_steps: 'retry',
  too_many_carried: 'retry',
  profile_incomplete: 'profile',
  not_found: 'discard',
  forbidden: 'discard',
  insufficient_funds: 'topUp',
  paid_out: 'edit',
  disputed: 'discard',
  invalid_fields: 'edit',
  conflict: 'choose',
  account_inactive: 'retry',
  courier_assigned: 'discard',
  courier_required: 'discard',
  invalid_state: 'discard',
  proof_required: 'prove',
  wrong_code: 'prove',
  code_locked: 'prove',
  too_late: 'discard',
  bad_picture: 'discard',
  picture_damaged: 'retry',
  picture_too_large: 'discard',
  email_taken: 'edit',
  id_taken: 'edit',
  key_reused: 'edit',
  malformed: 'edit',
  too_large: 'edit',
  unsupported_media: 'retry',
} satisfies Record<keyof typeof refusals, Action>;

/** After the main action, or if things have changed again. */
const retriedLater: ReadonlySet<string> = new Set([
  'profile_incomplete',
  'insufficient_funds',
  'invalid_state',
  'not_found',
  'forbidden',
  'disputed',
]);

export interface Advised {
  /** Null: another operation is resolved first. */
  main: Action | null;
  /** A retry could succeed. */
  isRetried: boolean;
}

/** `isEditable`: a form can correct it. `isLeaning`: it depends on another refused operation. */
export function advisedFor(
  operation: Operation,
  { isEditable, isLeaning }: { isEditable: boolean; isLeaning: boolean },
): Advised {
  if (isLeaning) return { main: null, isRetried: false };
  const code = operation.lastError?.code ?? '';
  let main = advised[code] ?? 'retry';
  // Retrying accepts changed terms, and settles a conflict whose other side is not known here.
  if (main === 'choose' && !(isConflict(operation) && isEditable)) main = 'retry';
  if (main === 'edit' && !isEditable) main = 'discard';
  return { main, isRetried: main === 'retry' || retriedLater.has(code) };
}
