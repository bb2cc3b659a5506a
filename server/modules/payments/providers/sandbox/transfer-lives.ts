/**
 * How a transfer of the sandbox goes, chosen by the number of the account it goes to: so a test, or
 * who tries the app, can see every end.
 */

export type TransferStatus = 'pending' | 'otp' | 'success' | 'failed' | 'reversed' | 'abandoned';
export type TransferEvent = 'transfer.success' | 'transfer.failed' | 'transfer.reversed';

interface After<T> {
  afterMs: number;
  is: T;
}

export interface TransferLife {
  /** For people. */
  words: string;
  /** Ascending, the first from the beginning. */
  states: readonly After<TransferStatus>[];
  /** Webhooks, ascending. */
  events: readonly After<TransferEvent>[];
  /** The connection ends without an answer, after it was carried out. */
  isSilent?: boolean;
  /** Refused with this message; nothing is carried out. */
  refusal?: string;
}

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const from = <T>(afterMs: number, is: T): After<T> => ({ afterMs, is });

const paid: TransferLife = {
  words: 'It arrives after 5 seconds.',
  states: [from(0, 'pending'), from(5 * secondMs, 'success')],
  events: [from(5 * secondMs, 'transfer.success')],
};

/** No bank has this account. */
export const unknownAccount = '9999999999';

export const specialLives: Readonly<Record<string, TransferLife>> = {
  '0000000001': {
    words: 'It fails after 5 seconds.',
    states: [from(0, 'pending'), from(5 * secondMs, 'failed')],
    events: [from(5 * secondMs, 'transfer.failed')],
  },
  '0000000002': {
    words: 'It arrives after 5 seconds and is reversed after 25.',
    states: [from(0, 'pending'), from(5 * secondMs, 'success'), from(25 * secondMs, 'reversed')],
    events: [from(5 * secondMs, 'transfer.success'), from(25 * secondMs, 'transfer.reversed')],
  },
  '0000000003': {
    words: 'It stays on its way for half an hour, then arrives.',
    states: [from(0, 'pending'), from(30 * minuteMs, 'success')],
    events: [from(30 * minuteMs, 'transfer.success')],
  },
  '0000000004': {
    words:
      'It asks for a one-time password and is abandoned after half an hour, without a webhook.',
    states: [from(0, 'otp'), from(30 * minuteMs, 'abandoned')],
    events: [],
  },
  '0000000005': {
    words: 'The connection ends without an answer; it arrives all the same, without a webhook.',
    states: paid.states,
    events: [],
    isSilent: true,
  },
  '0000000006': {
    words: 'It is reversed after 10 seconds; its webhooks come twice and in the wrong order.',
    states: [from(0, 'pending'), from(5 * secondMs, 'success'), from(10 * secondMs, 'reversed')],
    events: [
      from(10 * secondMs, 'transfer.reversed'),
      from(11 * secondMs, 'transfer.success'),
      from(12 * secondMs, 'transfer.success'),
      from(13 * secondMs, 'transfer.reversed'),
    ],
  },
  '0000000007': {
    words: 'It is refused: the balance of the provider is too low.',
    states: [from(0, 'failed')],
    events: [],
    refusal: 'Your balance is not enough to fulfil this request',
  },
};

export function lifeOf(accountNumber: string): TransferLife {
  return (Object.hasOwn(specialLives, accountNumber) && specialLives[accountNumber]) || paid;
}

/** Its status `ageMs` after its beginning. */
export function statusAt({ states }: TransferLife, ageMs: number): TransferStatus {
  return states.findLast(({ afterMs }) => afterMs <= ageMs)?.is ?? 'pending';
}
