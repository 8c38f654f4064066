// Keys of the business: what the page reads, and what people do with them.
import { del, pathTo, post, put } from '../../../api/calls.ts';
import type { IssueKeyAnswer, Key } from '../../../api/console-types.ts';
import { useAction } from '../../../api/query.ts';
import { useRead } from '../../../api/reads.ts';
import { type BusinessPlace, useBusinessPlace } from '../../../frame/place.ts';
import { useBusinessRole } from '../role.ts';

export type Scope = Key['scope'];

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

const KEYS = '/businesses/{business_id}/keys';
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

const refreshes = ({ params }: BusinessPlace) => [pathTo(KEYS, { params })];

export function useIssue(onDone: (issued: IssueKeyAnswer) => void) {
  const place = useBusinessPlace();
  return useAction(
    (given: { readonly name: string; readonly scope: Scope }) =>
      post(KEYS, { params: place.params, body: { ...given, mode: place.mode } }),
    { refreshes: refreshes(place), quiet: true, onDone },
  );
}

export function useRoll(onDone: (issued: IssueKeyAnswer) => void) {
  const place = useBusinessPlace();
  return useAction(
    ({ key, overlapHours }: { readonly key: Key; readonly overlapHours: number }) =>
      post(`${KEYS}/{key_id}/roll`, {
        params: { ...place.params, key_id: key.key_id },
        body: { overlap_hours: overlapHours },
      }),
    { refreshes: refreshes(place), quiet: true, onDone },
  );
}

export function useRename(onDone: () => void) {
  const place = useBusinessPlace();
  return useAction(
    ({ key, name }: { readonly key: Key; readonly name: string }) =>
      put(`${KEYS}/{key_id}/name`, { params: { ...place.params, key_id: key.key_id }, body: { name } }),
    { refreshes: refreshes(place), quiet: true, onDone },
  );
}

export function useRevoke(onDone: () => void) {
  const place = useBusinessPlace();
  const remove = ({ key_id }: Key) => del(`${KEYS}/{key_id}`, { params: { ...place.params, key_id } });
  return useAction(remove, {
    refreshes: refreshes(place),
    quiet: true,
    done: 'The key is revoked. Requests with it are refused from now on.',
    onDone,
  });
}
