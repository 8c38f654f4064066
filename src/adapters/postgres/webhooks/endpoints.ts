// Stores the webhook endpoints of businesses in PostgreSQL. Each change and its audit log entry are one transaction. The keys
// of an endpoint are stored only in encrypted form.
import type pg from 'pg';
import { serviceActor } from '../../../domain/people/actor.ts';
import type { AuditStamp } from '../../../ports/back-office.ts';
import type { SealedSecrets } from '../../../ports/people/sealed-secrets.ts';
import type { BusinessScope } from '../../../ports/store/reads.ts';
import type {
  EndpointDisabling,
  NewAccountEvent,
  NewEndpoint,
  SealedKeys,
  WebhookEndpoints,
} from '../../../ports/webhooks.ts';
import { makeRunAudited } from '../back-office/run-audited.ts';
import type { Database } from '../connection/database.ts';
import { queueMail } from '../mail-queue.ts';
import { ENDPOINT_COLUMNS } from './rows.ts';

/** The maximum number of keys that sign at the same time. A further rotation ends the oldest key. */
const MOST_KEYS = 4;

const OWN = 'e.id = $1 and e.business_id = $2 and e.mode = $3 and e.deleted_at is null';

export function makeWebhookEndpoints(database: Database): WebhookEndpoints {
  const logged = makeRunAudited(database);
  const select = async (where: string, values: readonly unknown[], client: Pick<pg.ClientBase, 'query'>) => {
    const { rows } = await client.query(
      `select ${ENDPOINT_COLUMNS.list('e')} from webhook_endpoints e where ${where} order by e.id`,
      [...values],
    );
    return rows.map(ENDPOINT_COLUMNS.read);
  };
  const pool = { query: (text: string, values: unknown[]) => database.query({ text, values }) } as never;
  return {
    find: async (scope, id) => (await select(OWN, ownershipValues(scope, id), pool))[0],
    list: ({ businessId, mode }) =>
      select('e.business_id = $1 and e.mode = $2 and e.deleted_at is null', [businessId, mode], pool),
    add: (endpoint, keys, most, doing) =>
      addEndpoint(logged, endpoint, keys, most, doing).then((added) => added || 'exists'),
    change: async (scope, id, change, doing) => {
      const { businessId } = scope;
      const detail = { id, businessId, ...change, ...(change.url !== undefined && loggedUrlOf(change.url)) };
      const changed = await logged(doing, 'webhook_endpoint_changed', detail, async (client) => {
        const { rowCount } = await client.query(
          `update webhook_endpoints e set url = coalesce($4, url), updated_at = $10,
             events = case when $5 then $6::text[] else events end,
             description = case when $7 then $8 else description end,
             state = coalesce($9, state),
             disabled_reason = case coalesce($9, state) when 'enabled' then null else coalesce(disabled_reason, 'requested') end,
             failing_since = case when $9 = 'enabled' and state = 'disabled' then null else failing_since end
           where ${OWN}`,
          [
            ...ownershipValues(scope, id),
            ...[change.url ?? null, change.events !== undefined, change.events ?? null],
            ...[change.description !== undefined, change.description ?? null, change.state ?? null],
            new Date(doing.atMs),
          ],
        );
        return rowCount === 1 && (await select(OWN, ownershipValues(scope, id), client))[0];
      });
      return changed || undefined;
    },
    remove: (scope, id, doing) =>
      logged(doing, 'webhook_endpoint_removed', { id, businessId: scope.businessId }, async (client) => {
        const { rowCount } = await client.query(
          `update webhook_endpoints e set deleted_at = $4, updated_at = $4 where ${OWN}`,
          [...ownershipValues(scope, id), new Date(doing.atMs)],
        );
        if (rowCount === 1) await client.query('delete from webhook_secrets where endpoint_id = $1', [id]);
        return rowCount === 1;
      }),
    ...makeEndpointKeys(database),
  };
}

function makeEndpointKeys(database: Database): Pick<WebhookEndpoints, 'rotate' | 'newestKeys'> {
  const logged = makeRunAudited(database);
  return {
    rotate: (scope, id, keys, oldEndAtMs, doing) => {
      const detail = { id, businessId: scope.businessId, oldEndAtMs };
      return logged(doing, 'webhook_secret_rotated', detail, async (client) => {
        const { rowCount } = await client.query(
          `update webhook_endpoints e set updated_at = $4 where ${OWN}`,
          [...ownershipValues(scope, id), new Date(doing.atMs)],
        );
        if (rowCount !== 1) return false;
        const known = 'select from webhook_secrets where endpoint_id = $1 and made_by = $2';
        if ((await client.query(known, [id, keys.madeBy])).rowCount !== 0) return false;
        // This also ends keys of earlier rotations. After a rotation without overlap no old key is valid, because it may have
        // leaked.
        await client.query('update webhook_secrets set ends_at = least(ends_at, $2) where endpoint_id = $1', [
          id,
          new Date(oldEndAtMs),
        ]);
        await insertKeys(client, id, keys, doing);
        await client.query(
          `delete from webhook_secrets where endpoint_id = $1 and (ends_at <= $2 or no <=
             (select max(no) from webhook_secrets where endpoint_id = $1) - $3)`,
          [id, new Date(doing.atMs), MOST_KEYS],
        );
        return true;
      });
    },
    newestKeys: async (id, madeBy) => {
      const { rows } = await database.query<{ sealed: string }>({
        text: 'select sealed from webhook_secrets where endpoint_id = $1 and made_by = $2 and ends_at is null',
        values: [id, madeBy],
      });
      return rows[0]?.sealed;
    },
  };
}

/** Returns false if an endpoint with this id already exists. */
function addEndpoint(
  logged: ReturnType<typeof makeRunAudited>,
  endpoint: NewEndpoint,
  keys: SealedKeys,
  most: number,
  doing: AuditStamp,
): Promise<'added' | 'too_many' | false> {
  const { id, businessId, mode, url, events, description } = endpoint;
  const refused = new Error('too many endpoints');
  const detail = { id, businessId, mode, ...loggedUrlOf(url), events };
  return logged(doing, 'webhook_endpoint_added', detail, async (client) => {
    // This lock stops two concurrent requests of one business from exceeding the limit together.
    await client.query('select from businesses where id = $1 for no key update', [businessId]);
    const { rows } = await client.query<{ known: boolean; count: number }>(
      `select exists (select from webhook_endpoints where id = $1) as known, (select count(*)::int from
         webhook_endpoints where business_id = $2 and mode = $3 and deleted_at is null) as count`,
      [id, businessId, mode],
    );
    if (rows[0]!.known) return false;
    if (rows[0]!.count >= most) throw refused;
    await client.query(
      `insert into webhook_endpoints (id, business_id, mode, url, events, description, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $7)`,
      [id, businessId, mode, url, events, description, new Date(doing.atMs)],
    );
    await insertKeys(client, id, keys, doing);
    return 'added' as const;
  }).catch((error: unknown) => {
    if (error === refused) return 'too_many' as const;
    throw error;
  });
}

async function insertKeys(
  client: pg.ClientBase,
  endpointId: string,
  { sealed, publicKey, madeBy }: SealedKeys,
  { atMs }: AuditStamp,
): Promise<void> {
  await client.query(
    `insert into webhook_secrets (endpoint_id, no, sealed, public_key, made_by, created_at)
     select $1, coalesce(max(no), 0) + 1, $2, $3, $4, $5 from webhook_secrets where endpoint_id = $1`,
    [endpointId, sealed, publicKey, madeBy, new Date(atMs)],
  );
}

/**
 * Returns the part of a URL that the audit log may contain. The path is left out, because it may contain a token of the
 * receiver.
 */
function loggedUrlOf(url: string): { readonly url: string } {
  return { url: new URL(url).origin };
}

function ownershipValues({ businessId, mode }: BusinessScope, id: string): readonly unknown[] {
  return [id, businessId, mode];
}

// This disables an endpoint and writes its event, the mails about it and the audit log entry, in one transaction.

/** The statement does nothing if, since the decision, the business has changed the URL or a delivery has succeeded. */
const DISABLE = `
  update webhook_endpoints set state = 'disabled', disabled_reason = $2, updated_at = $3
  where id = $1 and state = 'enabled' and deleted_at is null and url = $4
    and ($2 = 'gone' or failing_since is not null)`;

export function disableEndpoint(
  database: Database,
  { endpoint, reason, atMs, event, mails }: EndpointDisabling,
): Promise<boolean> {
  const doing = { actor: serviceActor('webhooks'), atMs };
  const detail = { id: endpoint.id, businessId: endpoint.businessId, reason };
  return makeRunAudited(database)(doing, 'webhook_endpoint_disabled', detail, async (client) => {
    const { rowCount } = await client.query(DISABLE, [endpoint.id, reason, new Date(atMs), endpoint.url]);
    if (rowCount !== 1) return false;
    await addAccountEvent(client, event);
    for (const mail of mails) await queueMail(client, mail);
    return true;
  });
}

export async function addAccountEvent(client: pg.ClientBase, event: NewAccountEvent): Promise<void> {
  const { id, businessId, mode, type, atMs, data, endpointId } = event;
  await client.query(
    `insert into account_events (id, business_id, mode, type, at, data, endpoint_id)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [id, businessId, mode, type, new Date(atMs), JSON.stringify(data), endpointId],
  );
}

/** `purpose` returns the purpose for which the keys of an endpoint are encrypted. */
export function makeSealedWebhookKeys(
  database: Database,
  purpose: (endpointId: string) => string,
): SealedSecrets {
  return {
    name: 'webhook_secrets',
    after: async (id, limit) => {
      const [endpointId = '', no = '0'] = id.split(' ');
      const { rows } = await database.query<{ endpoint_id: string; no: number; sealed: string }>({
        text: `select endpoint_id, no, sealed from webhook_secrets
               where (endpoint_id, no) > ($1, $2) order by endpoint_id, no limit $3`,
        values: [endpointId, Number(no), limit],
      });
      return rows.map((row) => ({
        id: `${row.endpoint_id} ${row.no}`,
        sealed: row.sealed,
        purpose: purpose(row.endpoint_id),
      }));
    },
    replace: async ({ id, sealed: from }, to) => {
      const [endpointId, no] = id.split(' ');
      const { rowCount } = await database.query({
        text: 'update webhook_secrets set sealed = $4 where endpoint_id = $1 and no = $2 and sealed = $3',
        values: [endpointId, Number(no), from, to],
      });
      return rowCount === 1;
    },
  };
}
