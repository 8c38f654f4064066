// The keys of webhook endpoints as sealed, in the order of their endpoints.
import type { SealedSecrets } from '../../../ports/people/sealed-secrets.ts';
import type { Database } from '../connection/database.ts';

/** `purpose`: what the keys of an endpoint are sealed for. */
export function sealedWebhookKeysIn(
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
