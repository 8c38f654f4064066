// The endpoints of businesses in memory. This store returns the same results as the PostgreSQL adapter.
import type { Endpoint } from '../../../../src/domain/webhooks/endpoint.ts';
import type { AuditStamp } from '../../../../src/ports/back-office.ts';
import type { BusinessScope } from '../../../../src/ports/store/reads.ts';
import type {
  EndpointChange,
  NewEndpoint,
  SealedKeys,
  WebhookEndpoints,
} from '../../../../src/ports/webhooks.ts';
import { byId } from '../../model/table.ts';
import type { Sync } from '../../model/tables.ts';
import { changeEndpointRow, type KeysRow, type WebhookMemory } from './memory.ts';

const MOST_KEYS = 4;

type Numbered = Sync<WebhookEndpoints> & {
  addAs(number: number, ...given: Parameters<WebhookEndpoints['add']>): 'added' | 'exists' | 'too_many';
};

export function endpointsModel(memory: WebhookMemory): Numbered {
  const own = ({ businessId, mode }: BusinessScope, id: string): Endpoint | undefined => {
    const row = memory.endpoints.get(id);
    if (row?.deletedAtMs !== null || row.endpoint.businessId !== businessId) return undefined;
    return row.endpoint.mode === mode ? shown(memory, id) : undefined;
  };
  const addAs: Numbered['addAs'] = (number, endpoint, keys, most, doing) => {
    memory.log.commitNothing(number);
    return addTo(memory, number, endpoint, keys, most, doing);
  };
  return {
    find: own,
    list: (scope) => ofScope(memory, scope),
    addAs,
    add: (...given) => addAs(memory.log.begin(), ...given),
    change: (scope, id, change, { atMs }) => {
      const before = own(scope, id);
      if (before === undefined) return undefined;
      changeEndpointRow(memory, id, changed(before, change, atMs));
      return shown(memory, id);
    },
    remove: (scope, id, { atMs }) => {
      if (own(scope, id) === undefined) return false;
      changeEndpointRow(memory, id, { updatedAtMs: atMs });
      memory.endpoints.set(id, { ...memory.endpoints.get(id)!, deletedAtMs: atMs });
      memory.keys.delete(id);
      return true;
    },
    rotate: (scope, id, keys, oldEndAtMs, doing) => {
      if (own(scope, id) === undefined) return false;
      return rotateIn(memory, id, keys, oldEndAtMs, doing);
    },
    newestKeys: (id, madeBy) =>
      memory.keys.get(id)?.find((each) => each.madeBy === madeBy && each.endsAtMs === null)?.sealed,
  };
}

function addTo(
  memory: WebhookMemory,
  createdBy: number,
  { id, businessId, mode, url, events, description }: NewEndpoint,
  { sealed, publicKey, madeBy }: SealedKeys,
  most: number,
  { atMs }: AuditStamp,
): 'added' | 'exists' | 'too_many' {
  if (memory.endpoints.has(id)) return 'exists';
  if (ofScope(memory, { businessId, mode }).length >= most) return 'too_many';
  const endpoint: Endpoint = {
    ...{ id, businessId, mode, url, events, description, state: 'enabled', disabledReason: null, publicKey },
    ...{ failingSinceMs: null, lastSuccessAtMs: null, createdAtMs: atMs, updatedAtMs: atMs },
  };
  memory.endpoints.set(id, { endpoint, createdBy, deletedAtMs: null });
  memory.keys.set(id, [{ no: 1, sealed, publicKey, madeBy, endsAtMs: null }]);
  return 'added';
}

function ofScope(memory: WebhookMemory, { businessId, mode }: BusinessScope): readonly Endpoint[] {
  return [...memory.endpoints.values()]
    .filter(({ endpoint, deletedAtMs }) => {
      return deletedAtMs === null && endpoint.businessId === businessId && endpoint.mode === mode;
    })
    .map(({ endpoint }) => shown(memory, endpoint.id))
    .sort(byId);
}

export function shown(memory: WebhookMemory, id: string): Endpoint {
  const newest = memory.keys.get(id)?.find(({ endsAtMs }) => endsAtMs === null);
  return { ...memory.endpoints.get(id)!.endpoint, publicKey: newest?.publicKey ?? '' };
}

function changed(before: Endpoint, change: EndpointChange, atMs: number): Partial<Endpoint> {
  const state = change.state ?? before.state;
  const enables = change.state === 'enabled' && before.state === 'disabled';
  return {
    ...change,
    updatedAtMs: atMs,
    disabledReason: state === 'enabled' ? null : (before.disabledReason ?? 'requested'),
    ...(enables && { failingSinceMs: null }),
  };
}

function rotateIn(
  memory: WebhookMemory,
  id: string,
  { sealed, publicKey, madeBy }: SealedKeys,
  oldEndAtMs: number,
  { atMs }: AuditStamp,
): boolean {
  changeEndpointRow(memory, id, { updatedAtMs: atMs });
  const before = memory.keys.get(id) ?? [];
  if (before.some((each) => each.madeBy === madeBy)) return false;
  const no = Math.max(0, ...before.map((each) => each.no)) + 1;
  const rows: KeysRow[] = [
    ...before.map((each) => ({ ...each, endsAtMs: Math.min(each.endsAtMs ?? oldEndAtMs, oldEndAtMs) })),
    { no, sealed, publicKey, madeBy, endsAtMs: null },
  ];
  memory.keys.set(
    id,
    rows.filter((each) => (each.endsAtMs === null || each.endsAtMs > atMs) && each.no > no - MOST_KEYS),
  );
  return true;
}
