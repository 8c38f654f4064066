// The queue of mails. A mail is queued in the commit that causes it, and a worker sends it to a mail server. If the outcome of
// a sending is unknown, the worker sends the mail again with the same Message-ID. So a mail may arrive twice but is never lost.

export interface Mail {
  readonly id: string;
  /** The e-mail address in its normalised spelling. */
  readonly recipient: string;
  readonly subject: string;
  /** Plain text. */
  readonly body: string;
  readonly createdAtMs: number;
}

export interface NewMail extends Mail {
  /** The id of the invitation, sign-up or person that the mail is about. */
  readonly about: string;
  /** The time when the token in the body expires and the body is deleted; null if the body has no token. */
  readonly linkEndsAtMs: number | null;
}

export type MailState = 'queued' | 'sent' | 'kept' | 'problem' | 'cancelled';

export interface StoredMail extends Omit<Mail, 'body'> {
  readonly state: MailState;
  /** Null after the mail was sent or its link has expired. */
  readonly body: string | null;
  readonly tries: number;
  readonly sentAtMs: number | null;
  readonly problem: string | null;
}

/** A mail that one worker may send until its lease ends. `tries` includes the current attempt and identifies the lease. */
export interface LeasedMail extends Mail {
  readonly tries: number;
}

export interface MailQueue {
  lease(atMs: number, untilMs: number, limit: number): Promise<readonly LeasedMail[]>;
  /** Blanks the body of the sent mail. The result is false if the lease has ended and another worker has the mail. */
  markSent(lease: LeasedMail, atMs: number): Promise<boolean>;
  /** If `againAtMs` is null, the mail is not sent again, and people see the problem. */
  markFailed(lease: LeasedMail, problem: string, againAtMs: number | null): Promise<boolean>;
  /** For a service without a mail server: due mails stay in the queue, where people can read them. */
  keep(atMs: number): Promise<number>;
  /** Deletes the body of mails whose link has expired. If such a mail is still queued, no worker sends it. */
  blankEnded(atMs: number): Promise<number>;
  /** Newest first. */
  list(limit: number): Promise<readonly StoredMail[]>;
}

export type MailOutcome =
  | { readonly kind: 'sent' }
  /** `lasting`: the server will also refuse this mail at every later attempt. */
  | { readonly kind: 'refused'; readonly lasting: boolean; readonly problem: string }
  /** The outcome is unknown: the server may have accepted the mail. */
  | { readonly kind: 'unknown'; readonly problem: string };

/** A mail server. Sending never throws, and the texts about problems contain no secret. */
export interface MailServer {
  send(mail: Mail): Promise<MailOutcome>;
}
