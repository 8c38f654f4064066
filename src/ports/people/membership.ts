// Stores invitations, sign-ups of businesses and password resets. Each write is one commit together with its mail and its
// audit-log entry. The store contains only hashes of tokens.
import type { InvitationTarget } from '../../domain/people/roles.ts';
import type { AuditStamp, NewBusiness } from '../back-office.ts';
import type { NewMail } from '../mail.ts';

export type Invitation = InvitationTarget & {
  readonly id: string;
  readonly email: string;
  /** The sign-up that created the invitation; null if no sign-up created it. */
  readonly signUpId: string | null;
  readonly invitedBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
};

export type NewInvitation = Invitation & { readonly tokenHash: string };

export type OpenInvitation = Invitation & {
  readonly businessName: string | null;
  /** Whether a person with this e-mail address already exists. */
  readonly known: boolean;
};

export interface InvitedPerson {
  readonly id: string;
  readonly name: string;
  /** The hash of the password. */
  readonly stored: string;
}

export interface InvitationStore {
  businessName(id: string): Promise<string | undefined>;
  /**
   * Replaces the open invitation of this address to the same business or to the operator. `notices`: mails that inform other
   * people about the invitation.
   */
  invite(
    invitation: NewInvitation,
    mail: NewMail,
    notices: readonly NewMail[],
    doing: AuditStamp,
  ): Promise<'invited' | 'not_allowed' | 'already_member'>;
  /** Lists invitations that are neither accepted nor withdrawn, including expired invitations. */
  list(businessId: string | null): Promise<readonly Invitation[]>;
  withdraw(id: string, businessId: string | null, doing: AuditStamp): Promise<boolean>;
  /**
   * Finds an open invitation. Undefined if it is unknown, used, withdrawn or expired, or if the person who invited may no
   * longer invite.
   */
  find(tokenHash: string, atMs: number): Promise<OpenInvitation | undefined>;
  acceptAsNew(
    tokenHash: string,
    person: InvitedPerson,
    doing: AuditStamp,
  ): Promise<'accepted' | 'ended' | 'known_address'>;
  acceptAs(
    tokenHash: string,
    personId: string,
    doing: AuditStamp,
  ): Promise<'accepted' | 'ended' | 'other_address' | 'already_member'>;
}

export type SignUpDecision = 'waiting' | 'approved' | 'declined';

export interface SignUp {
  readonly id: string;
  readonly businessName: string;
  readonly linkTag: string;
  readonly email: string;
  readonly state: SignUpDecision;
  readonly createdAtMs: number;
  readonly decidedAtMs: number | null;
  readonly decidedBy: string | null;
  readonly businessId: string | null;
}

export interface SignUpStore {
  add(
    signUp: Pick<SignUp, 'id' | 'businessName' | 'linkTag' | 'email'>,
    doing: AuditStamp,
  ): Promise<'added' | 'link_tag_taken'>;
  find(id: string): Promise<SignUp | undefined>;
  /** Newest first. */
  list(state: SignUpDecision, limit: number): Promise<readonly SignUp[]>;
  /** Creates the business, and the invitation for the owner of the business. */
  approve(
    id: string,
    made: {
      readonly business: NewBusiness;
      readonly invitation: NewInvitation;
      readonly mail: NewMail;
    },
    doing: AuditStamp,
  ): Promise<'approved' | 'not_waiting' | 'link_tag_taken'>;
  decline(id: string, mail: NewMail, doing: AuditStamp): Promise<'declined' | 'not_waiting'>;
}

export interface NewReset {
  readonly tokenHash: string;
  readonly expiresAtMs: number;
  readonly mail: NewMail;
}

export interface ResetStore {
  /** Records that a person requested a new password for an e-mail address, whether or not the address is known. */
  ask(email: string, atMs: number): Promise<void>;
  listAsks(limit: number): Promise<readonly string[]>;
  /**
   * Closes the request for a new password. It creates a reset if the address belongs to a person who may sign in and who has
   * received no reset since `sinceMs`.
   */
  answerAsk(email: string, reset: NewReset, sinceMs: number, doing: AuditStamp): Promise<boolean>;
  find(
    tokenHash: string,
    atMs: number,
  ): Promise<{ readonly personId: string; readonly email: string; readonly name: string } | undefined>;
  /**
   * Sets the password and ends all sessions and pending sign-ins of the person. The result is false if the reset was used or
   * replaced, or has expired.
   */
  use(tokenHash: string, stored: string, mail: NewMail, doing: AuditStamp): Promise<boolean>;
  /** Removes the password and the second factors of a person, ends all sessions and pending sign-ins, and creates the reset. */
  resetPerson(personId: string, reset: NewReset, doing: AuditStamp): Promise<'reset' | 'not_found'>;
}
