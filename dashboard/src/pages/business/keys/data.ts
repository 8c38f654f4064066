// Keys of the business: what the page reads, and who may change them.
import type { Key } from '../../../api/console-types.ts';
import { useRead } from '../../../api/reads.ts';
import { useBusinessPlace } from '../../../frame/place.ts';
import { useBusinessRole } from '../role.ts';

/** What a person is about to do. */
export type Doing =
  | { readonly kind: 'create' }
  | { readonly kind: 'rename' | 'roll' | 'revoke'; readonly key: Key };

export type KeyState = 'active' | 'ending' | 'ended' | 'revoked';

export function stateOf({ revoked_at, expires_at }: Key, nowMs: number): KeyState {
  if (revoked_at !== null) return 'revoked';
  if (expires_at === null) return 'active';
  return Date.parse(expires_at) > nowMs ? 'ending' : 'ended';
}

export const KEYS = '/businesses/{business_id}/keys';
const LAST_USE_EVERY_MS = 15_000;

export function useKeys() {
  const { params } = useBusinessPlace();
  return useRead(KEYS, { params, everyMs: LAST_USE_EVERY_MS });
}

/** Live keys are for owners. */
export function useMayManage(): boolean {
  const { mode } = useBusinessPlace();
  const role = useBusinessRole();
  return role === 'owner' || (role === 'developer' && mode === 'test');
}
