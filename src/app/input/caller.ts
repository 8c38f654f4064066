// The caller of a request: the key that authenticated the request, and the catalogue that contains this key.
import type { Mode } from '../../domain/values/mode.ts';
import { type Refusal, refusal } from '../../domain/values/refusals.ts';
import type { ApiKey, CatalogueSnapshot } from '../../ports/catalogue.ts';
import type { BusinessScope } from '../../ports/store/reads.ts';

export interface Caller {
  readonly key: ApiKey;
  readonly catalogue: CatalogueSnapshot;
}

/** A caller that reads data of a business: a key of the business, or a member with the current business and mode. */
export interface BusinessReader {
  readonly key: { readonly business: { readonly id: string }; readonly mode: Mode };
}

/** A caller that acts for a business: a key of the business, or a member. */
export interface BusinessActor extends BusinessReader {
  readonly key: BusinessReader['key'] & {
    /** The id of the key or the person. The audit log records it as the actor. */
    readonly id: string;
  };
}

export interface FeePayer extends BusinessReader {
  readonly catalogue: Pick<CatalogueSnapshot, 'fees'>;
}

export function scopeOf({ key }: BusinessReader): BusinessScope {
  return { businessId: key.business.id, mode: key.mode };
}

/**
 * The business in the body of a request must be the business of the key. The refusal does not show whether the other business
 * exists.
 */
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

export type RailsEnabled = Readonly<Record<Mode, boolean>>;
