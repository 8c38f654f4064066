// The endpoints of businesses, as their keys manage them. Every change is recorded with its actor in the same commit; nothing
// outside a business and mode is ever found.
import type { Endpoint } from '../../domain/webhooks/endpoint.ts';
import type { Doing } from '../back-office.ts';
import type { Scope } from '../store/reads.ts';

/** The HMAC secret and the signing key of an endpoint, sealed together. */
export interface SealedKeys {
  readonly sealed: string;
  readonly publicKey: string;
  /** Names the request that made them: a repeated request makes no others. */
  readonly madeBy: string;
}

export type NewEndpoint = Pick<Endpoint, 'id' | 'businessId' | 'mode' | 'url' | 'events' | 'description'>;

export type EndpointChange = Partial<Pick<Endpoint, 'url' | 'events' | 'description' | 'state'>>;

export interface WebhookEndpoints {
  find(scope: Scope, id: string): Promise<Endpoint | undefined>;
  /** Oldest first. */
  list(scope: Scope): Promise<readonly Endpoint[]>;
  /** `most`: how many a business may have in a mode. `exists`: this id was added before. */
  add(
    endpoint: NewEndpoint,
    keys: SealedKeys,
    most: number,
    doing: Doing,
  ): Promise<'added' | 'exists' | 'too_many'>;
  /** Enabling forgets how long it has failed. Undefined: there is none. */
  change(scope: Scope, id: string, change: EndpointChange, doing: Doing): Promise<Endpoint | undefined>;
  /** Ends its deliveries. False: there is none. */
  remove(scope: Scope, id: string, doing: Doing): Promise<boolean>;
  /**
   * The keys in force until now sign beside the new ones until `oldEndAtMs`. False: there is no such endpoint, or the request has
   * made its keys before.
   */
  rotate(scope: Scope, id: string, keys: SealedKeys, oldEndAtMs: number, doing: Doing): Promise<boolean>;
  /** The sealed keys that this request made; undefined when there are newer ones. */
  newestKeys(id: string, madeBy: string): Promise<string | undefined>;
}
