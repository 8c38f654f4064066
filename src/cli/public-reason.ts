// The option --public-reason: what a business reads about a decision, from a closed list. The reviewer's own words stay private.
import { PUBLIC_REASONS, type PublicReason } from '../domain/records/reasons.ts';

export const PUBLIC_REASON = {
  choices: PUBLIC_REASONS,
  about: 'what the business reads about it',
} as const;

export function publicReasonDetail(publicReason: PublicReason | undefined): {
  readonly publicReason?: PublicReason;
} {
  return publicReason === undefined ? {} : { publicReason };
}
