// Mail as an effect: it is queued in the commit that causes it, and a worker sends it to a mail server. If it is unknown whether
// a mail was sent, it is sent again with the same Message-ID: it may arrive twice, but is never lost.

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
  /** The time when the token in the body expires and the body is deleted; null if there is no token. */
  readonly linkEndsAtMs: number | null;
}

export type MailState = 'queued' | 'sent' | 'kept' | 'problem' | 'cancelled';

export interface StoredMail extends Omit<Mail, 'body'> {
  readonly state: MailState;
  /** Null once the mail is sent or its link has expired. */
  readonly body: string | null;
  readonly tries: number;
  readonly sentAtMs: number | null;
  readonly problem: string | null;
}

/** A mail that one worker may send until its lease ends. `tries` includes this attempt and identifies the lease. */
export interface LeasedMail extends Mail {
  readonly tries: number;
}

export interface MailQueue {
  /** Due mails that no other worker has leased, oldest first. */
  lease(atMs: number, untilMs: number, limit: number): Promise<readonly LeasedMail[]>;
  /** Blanks the body. False if the lease has ended and another worker has the mail. */
  markSent(lease: LeasedMail, atMs: number): Promise<boolean>;
  /** If `againAtMs` is null, the mail is not sent again, and the problem is shown. */
  markFailed(lease: LeasedMail, problem: string, againAtMs: number | null): Promise<boolean>;
  /** For a service without a mail server: due mails stay in the queue, where people can read them. */
  keep(atMs: number): Promise<number>;
  /** Deletes the body of mails whose link has expired; if such a mail is still queued, it is no longer sent. */
  blankEnded(atMs: number): Promise<number>;
  /** Newest first. */
  list(limit: number): Promise<readonly StoredMail[]>;
}

export type MailOutcome =
  | { readonly kind: 'sent' }
  /** `lasting`: the server refuses this mail permanently. */
  | { readonly kind: 'refused'; readonly lasting: boolean; readonly problem: string }
  /** The server may have accepted the mail. */
  | { readonly kind: 'unknown'; readonly problem: string };

/** A mail server. Sending never throws, and its problem texts contain no secret. */
export interface MailServer {
  send(mail: Mail): Promise<MailOutcome>;
}
