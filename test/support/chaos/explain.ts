// Explains why a transaction of a chaos run is stuck. It shows all data about the transaction in the service's tables and in
// those of the outside world.
import type { ConnectionSettings } from '../../../src/adapters/postgres/connection/database.ts';
import { query } from '../accounted.ts';
import type { Unfinished } from './endings.ts';

const SHOWN = 5;

export async function describe(
  connection: ConnectionSettings,
  { stragglers, open }: Unfinished,
): Promise<string> {
  const lines = [`${stragglers.length} did not end, ${open.length} records are open`];
  for (const { what, id } of open.slice(0, SHOWN)) lines.push(`open ${what} ${id}`);
  for (const { transaction, story, wanted } of stragglers.slice(0, SHOWN)) {
    const { id, type, state, exception } = transaction;
    const ending = wanted && `${wanted.state} (${wanted.exception}), ${wanted.refundedMinor} refunded`;
    lines.push(`${id}, a ${type} "${story}", is ${state} (${exception}), wanted ${ending}`);
    lines.push(await explain(connection, id));
  }
  return lines.join('\n');
}

async function explain(connection: ConnectionSettings, id: string): Promise<string> {
  const part = async (name: string, text: string) => {
    const rows = await query(connection, text, [id]);
    return [`  ${name}:`, ...rows.map((row) => `    ${JSON.stringify(row)}`)].join('\n');
  };
  const parts = [
    await part(
      'transaction',
      'select * from transactions join transaction_states on transaction_id = id where id = $1',
    ),
    await part(
      'timeline',
      `select version, at, from_state, to_state, actor, reason, evidence from timeline where transaction_id = $1
        order by version`,
    ),
    await part('movements', 'select * from movements where transaction_id = $1'),
    await part(
      'attempts',
      `select a.no, a.reference, a.bound, a.state, a.evidence, a.at, a.updated_at from movement_attempts a
        join movements m on m.id = a.movement_id where m.transaction_id = $1 order by a.movement_id, a.no`,
    ),
    await part('deposits', 'select * from deposits where transaction_id = $1'),
    await part(
      'credits',
      `select c.* from bank_credits c join transactions t on t.id = $1 and c.payer_account = t.account_number`,
    ),
    await part(
      'looks at credits',
      `select d.* from match_decisions d join bank_credits c on c.id = d.credit_id
        join transactions t on t.id = $1 and c.payer_account = t.account_number order by d.at`,
    ),
    await part('on the network', 'select * from simulated_transfers where about = $1 order by at_ms'),
    await part('at the bank', 'select * from simulated_payouts where about = $1'),
    await part('story', 'select * from simulated_plays where transaction_id = $1'),
  ];
  return parts.join('\n');
}
