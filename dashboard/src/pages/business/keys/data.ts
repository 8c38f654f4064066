// Keys of the business: what the page reads, and what people do with them.
import { del, post, put } from '../../../api/client.ts';
import { useAction, useRead } from '../../../api/query.ts';
import { type BusinessPlace, type Mode, useBusinessPlace } from '../../../frame/place.ts';
import { useBusinessRole } from '../role.ts';

export type Scope = 'full' | 'read';

export interface Key {
  readonly key_id: string;
  readonly mode: Mode;
  readonly name: string;
  readonly scope: Scope;
  readonly hint: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export interface Issued {
  readonly key_id: string;
  readonly secret_key: string;
}

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

const LAST_USE_EVERY_MS = 15_000;

export function useKeys() {
  const { api } = useBusinessPlace();
  return useRead<{ readonly keys: readonly Key[] }>(`${api}/keys`, { everyMs: LAST_USE_EVERY_MS });
}

/** Live keys are for owners. */
export function useMayManage(): boolean {
  const { mode } = useBusinessPlace();
  const role = useBusinessRole();
  return role === 'owner' || (role === 'developer' && mode === 'test');
}

const refreshes = ({ api }: BusinessPlace) => [`${api}/keys`];

export function useIssue(onDone: (issued: Issued) => void) {
  const place = useBusinessPlace();
  return useAction(
    (given: { readonly name: string; readonly scope: Scope }) =>
      post<Issued>(`${place.api}/keys`, { ...given, mode: place.mode }),
    { refreshes: refreshes(place), quiet: true, onDone },
  );
}

export function useRoll(onDone: (issued: Issued) => void) {
  const place = useBusinessPlace();
  return useAction(
    ({ key, overlapHours }: { readonly key: Key; readonly overlapHours: number }) =>
      post<Issued>(`${place.api}/keys/${key.key_id}/roll`, { overlap_hours: overlapHours }),
    { refreshes: refreshes(place), quiet: true, onDone },
  );
}

export function useRename(onDone: () => void) {
  const place = useBusinessPlace();
  return useAction(
    ({ key, name }: { readonly key: Key; readonly name: string }) =>
      put(`${place.api}/keys/${key.key_id}/name`, { name }),
    { refreshes: refreshes(place), quiet: true, onDone },
  );
}

export function useRevoke(onDone: () => void) {
  const place = useBusinessPlace();
  return useAction((key: Key) => del(`${place.api}/keys/${key.key_id}`), {
    refreshes: refreshes(place),
    quiet: true,
    done: 'The key is revoked. Requests with it are refused from now on.',
    onDone,
  });
}
