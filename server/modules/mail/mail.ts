/** The interface to what delivers mails. */

export interface Mail {
  /** Of the row: the same in each try, so that servers can tell a repetition. */
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * The result of one try. later: not sent, or not for certain, to be tried again. refused: final.
 * `status`: the server's reply code, if it gave one.
 */
export type MailOutcome =
  | { kind: 'sent' }
  | { kind: 'later'; status?: number | undefined }
  | { kind: 'refused'; status?: number | undefined };

/** Tries once; never rejects. */
export type SendMail = (mail: Mail) => Promise<MailOutcome>;
