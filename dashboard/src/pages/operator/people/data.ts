// The people of the operator, and the sign-ups of businesses, as the service answers them.
import type { OperatorRole } from '../../../api/session.ts';

export const PEOPLE = '/operator/people';
export const SIGN_UPS = '/operator/sign-ups';

export interface Operator {
  readonly person_id: string;
  readonly name: string;
  readonly email: string;
  readonly operator_role: OperatorRole;
  readonly disabled: boolean;
  readonly created_at: string;
}

export type SignUpState = 'waiting' | 'approved' | 'declined';

export interface SignUp {
  readonly id: string;
  readonly business_name: string;
  readonly link_tag: string;
  readonly email: string;
  readonly state: SignUpState;
  readonly created_at: string;
  readonly decided_at: string | null;
  readonly business_id: string | null;
}
