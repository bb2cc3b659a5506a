/** The interface to a provider of text messages. */

/**
 * The result of one attempt. later: certainly not sent, to be retried, after `afterMs` if the
 * provider sets it. refused: certainly not sent, final. uncertain: it may have been sent.
 */
export type SendOutcome =
  | { kind: 'sent'; providerId: string | null }
  | { kind: 'later'; afterMs?: number | undefined; status?: number | undefined }
  | { kind: 'refused'; status: number }
  | { kind: 'uncertain'; status?: number | undefined };

/** `to` in E.164. Tries once; never rejects. */
export type SendText = (message: { to: string; body: string }) => Promise<SendOutcome>;

/** A delivery report, from the provider's webhook. */
export interface Report {
  providerId: string;
  /** E.164. */
  to: string;
  body: string;
  /** Null: on its way. */
  outcome: 'delivered' | 'failed' | null;
  costKobo: number | null;
}

export interface TextProvider {
  send: SendText;
  /** Null: not about a message. */
  readReport(json: unknown): Report | null;
  /** The provider signs its webhooks with it. */
  secretKey: string;
}
