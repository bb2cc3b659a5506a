import type { ErrorBody } from '#contract/error-body.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { WirePackage } from '#contract/package.ts';
import type { WireUser } from '#contract/user.ts';
import { formatNaira, koboToNaira } from '#domain/money.ts';
import type { Decision } from '#domain/policy.ts';
import { errorCatalogue } from '#server/http/error-catalogue.ts';

interface RefusalDetails {
  /** Message per field, for `invalid_fields`; the fields concerned, for `conflict`. */
  fields?: Record<string, string>;
  /** The current row, for `conflict`. */
  current?: WirePackage | WireUser;
  /** The shortfall of the available balance, for `insufficient_funds`. */
  missingKobo?: number;
  /** For `wrong_code`. */
  triesLeft?: number;
  /** Earlier writes of its transaction are committed. */
  isKept?: boolean;
  /** For `rate_limited` and `unavailable`; sent as Retry-After. */
  retryAfterSeconds?: number;
}

const longWaitSeconds = 90;

function messageOf(
  code: ErrorCode,
  { missingKobo, retryAfterSeconds = 0 }: RefusalDetails,
): string {
  if (missingKobo !== undefined) {
    return `The balance is ${formatNaira(missingKobo)} short. Top up and try again.`;
  }
  if (code === 'rate_limited' && retryAfterSeconds > longWaitSeconds) {
    return `Too many attempts. Please try again in ${Math.ceil(retryAfterSeconds / 60)} minutes.`;
  }
  return errorCatalogue[code].message;
}

/** For `conflict`: the fields someone else changed. */
export function conflictFields(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [name, 'Someone else changed this in the meantime.']),
  );
}

/** Every refusal of the server, as a typed error; the error handler turns it into HTTP. */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: ErrorCode;
  readonly details: RefusalDetails;

  constructor(code: ErrorCode, details: RefusalDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorCatalogue[this.code].status;
  }

  get body(): ErrorBody {
    const { fields, current, missingKobo, triesLeft } = this.details;
    return {
      message: messageOf(this.code, this.details),
      code: this.code,
      ...(fields ? { fields } : {}),
      ...(current ? { current } : {}),
      ...(triesLeft === undefined ? {} : { triesLeft }),
      ...(missingKobo === undefined ? {} : { missing: koboToNaira(missingKobo) }),
    };
  }
}

/** Passes what the policy allows; else refuses with the policy's code. */
export function insist(decision: Decision): void {
  if (!decision.isAllowed) throw new Refusal(decision.code);
}

/** 422 for one field. */
export function invalidField(name: string, message: string): Refusal {
  return new Refusal('invalid_fields', { fields: { [name]: message } });
}
