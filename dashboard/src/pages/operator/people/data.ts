// The reads of the people of the operator, and of the sign-ups of businesses.
export const PEOPLE = '/operator/people';
export const SIGN_UPS = '/operator/sign-ups';
