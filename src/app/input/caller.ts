// The caller of a request: the key that authenticated it, and the catalogue that contains the key.
import type { Mode } from '../../domain/values/mode.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import type { ApiKey, CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';

export interface Caller {
  readonly key: ApiKey;
  readonly catalogue: CatalogueSnapshot;
}

/** A caller that reads for a business: one of its keys, or a member with their current business and mode. */
export interface BusinessReader {
  readonly key: { readonly business: { readonly id: string }; readonly mode: Mode };
}

/** A caller that acts for a business: one of its keys, or a member. */
export interface BusinessActor extends BusinessReader {
  readonly key: BusinessReader['key'] & {
    /** The id of the key or the person: the actor in the audit log. */
    readonly id: string;
  };
}

/** The caller who pays a fee. */
export interface FeePayer extends BusinessReader {
  readonly catalogue: Pick<CatalogueSnapshot, 'fees'>;
}

export function scopeOf({ key }: BusinessReader): BusinessScope {
  return { businessId: key.business.id, mode: key.mode };
}

/** The business in a body must be the business of the key. The answer does not show whether another business exists. */
export function refuseOtherBusiness(
  { key }: Caller,
  body: { readonly business_id: string; readonly link_tag: string },
): Refusal | undefined {
  const { id, linkTag } = key.business;
  if (body.business_id === id && body.link_tag === linkTag) return undefined;
  return refusal(
    'business_mismatch',
    'business_id and link_tag must be those of the business that the secret key belongs to.',
  );
}

/** The modes in which an operator has enabled rails. */
export type RailsEnabled = Readonly<Record<Mode, boolean>>;
