// The option --public-reason: what a business reads about a decision, from a closed list. The reviewer's own words stay private.
import { isPublicReason, PUBLIC_REASONS, type PublicReason } from '../domain/records/reasons.ts';
import { CommandError } from './command.ts';

export function publicReasonOption(code: string | undefined): PublicReason | undefined {
  if (code === undefined || isPublicReason(code)) return code;
  throw new CommandError(`--public-reason must be one of ${PUBLIC_REASONS.join(', ')}.`);
}

export function publicReasonDetail(code: string | undefined): { readonly publicReason?: PublicReason } {
  const publicReason = publicReasonOption(code);
  return publicReason === undefined ? {} : { publicReason };
}
