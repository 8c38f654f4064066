// What an invitation is for.
import type { ReadInvitationAnswer } from '../../../api/console-types.ts';
import { homeOf, type Session } from '../../../api/session.ts';

export const HERE = '/app/invitation';

export function placeOf({ business_name: business }: ReadInvitationAnswer): string {
  return business ?? 'the operator';
}

/** The first page of the business that the person has just joined. */
export function toBusiness(session: Session, { business_name: business }: ReadInvitationAnswer): string {
  const joined = session.memberships.find((each) => each.business_name === business);
  return joined === undefined ? homeOf(session) : `/app/b/${joined.business_id}/test`;
}
