// What an invitation is for.
import { homeOf, type Session } from '../../../api/session.ts';

export const HERE = '/app/invitation';

export interface Invitation {
  readonly email: string;
  /** Null: to the operator. */
  readonly business_name: string | null;
  readonly role: string;
  /** A person with this address exists. */
  readonly known: boolean;
}

export function placeOf({ business_name: business }: Invitation): string {
  return business ?? 'the operator';
}

/** The first page of the business that the person has just joined. */
export function toBusiness(session: Session, { business_name: business }: Invitation): string {
  const joined = session.memberships.find((each) => each.business_name === business);
  return joined === undefined ? homeOf(session) : `/app/b/${joined.business_id}/test`;
}
