// Disables an endpoint, with the event that says so, the mails about it and the entry in the audit log: one transaction.
import type pg from 'pg';
import { serviceActor } from '../../../domain/people/actor.ts';
import type { Disabling, NewAccountEvent } from '../../../ports/webhooks/deliveries.ts';
import { makeLogged } from '../back-office/logged.ts';
import type { Database } from '../connection/database.ts';
import { queueMail } from '../mail/mail-queue.ts';

/** Not when the business has changed the URL, or the endpoint has succeeded, since the decision was made. */
const DISABLE = `
  update webhook_endpoints set state = 'disabled', disabled_reason = $2, updated_at = $3
  where id = $1 and state = 'enabled' and deleted_at is null and url = $4
    and ($2 = 'gone' or failing_since is not null)`;

export function disableIn(
  database: Database,
  { endpoint, reason, atMs, event, mails }: Disabling,
): Promise<boolean> {
  const doing = { actor: serviceActor('webhooks'), atMs };
  const detail = { id: endpoint.id, businessId: endpoint.businessId, reason };
  return makeLogged(database)(doing, 'webhook_endpoint_disabled', detail, async (client) => {
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
