// Stores invitations, sign-ups of businesses and password resets. Each write is one commit together with its mail and its
// audit-log line. Only hashes of tokens are stored.
import type { InvitationTarget } from '../../domain/people/roles.ts';
import type { AuditStamp, NewBusiness } from '../back-office.ts';
import type { NewMail } from '../mail.ts';

export type Invitation = InvitationTarget & {
  readonly id: string;
  readonly email: string;
  /** The sign-up that created the invitation; null if there was none. */
  readonly signUpId: string | null;
  readonly invitedBy: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
};

export type NewInvitation = Invitation & { readonly tokenHash: string };

/** The invitation as the holder of its token sees it. */
export type OpenInvitation = Invitation & {
  readonly businessName: string | null;
  /** Whether a person with this address already exists. */
  readonly known: boolean;
};

export interface InvitedPerson {
  readonly id: string;
  readonly name: string;
  /** The password, hashed. */
  readonly stored: string;
}

export interface InvitationStore {
  /** Finds the name of a business; undefined if there is no such business. */
  businessName(id: string): Promise<string | undefined>;
  /**
   * Replaces the open invitation of this address to the same business or to the operator. `notices`: mails to other people about
   * the invitation.
   */
  invite(
    invitation: NewInvitation,
    mail: NewMail,
    notices: readonly NewMail[],
    doing: AuditStamp,
  ): Promise<'invited' | 'not_allowed' | 'already_member'>;
  /** Invitations that are neither accepted nor withdrawn, including expired ones. */
  list(businessId: string | null): Promise<readonly Invitation[]>;
  withdraw(id: string, businessId: string | null, doing: AuditStamp): Promise<boolean>;
  /** Finds an open invitation; undefined if it is unknown, used, withdrawn or expired, or if its inviter may no longer invite. */
  find(tokenHash: string, atMs: number): Promise<OpenInvitation | undefined>;
  /** Creates the person with the address of the invitation, a password and a role. */
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
  /** Creates the business and the invitation for its owner. */
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
  /** Records that a new password was requested for an address, known or unknown. */
  ask(email: string, atMs: number): Promise<void>;
  listAsks(limit: number): Promise<readonly string[]>;
  /**
   * Closes the request. Creates the reset if the address belongs to a person who may sign in and who has received no reset since
   * `sinceMs`.
   */
  answerAsk(email: string, reset: NewReset, sinceMs: number, doing: AuditStamp): Promise<boolean>;
  find(
    tokenHash: string,
    atMs: number,
  ): Promise<{ readonly personId: string; readonly email: string; readonly name: string } | undefined>;
  /** Sets the password and ends all sessions and pending sign-ins. False if the reset was used or replaced, or has expired. */
  use(tokenHash: string, stored: string, mail: NewMail, doing: AuditStamp): Promise<boolean>;
  /** Removes password and second factors, ends all sessions and pending sign-ins, and creates the reset. */
  resetPerson(personId: string, reset: NewReset, doing: AuditStamp): Promise<'reset' | 'not_found'>;
}
