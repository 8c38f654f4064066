// Waits until a transaction reaches its expected state, and checks the ledger afterwards.
import assert from 'node:assert/strict';
import { until } from '../support/patience.ts';
import type { TestService } from '../support/service.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
export type Shown = Record<string, any>;

/**
 * Returns the transaction once it is in one of the states and `until` is true. Otherwise it throws an error that shows the
 * timeline.
 */
export async function settled(
  service: Pick<TestService, 'get'>,
  id: string,
  wanted: {
    readonly states: readonly string[];
    readonly until?: (transaction: Shown) => boolean;
    readonly key?: string;
  },
): Promise<Shown> {
  const options = wanted.key === undefined ? {} : { key: wanted.key };
  let transaction: Shown = {};
  const isThere = async () => {
    transaction = (await service.get(`/transactions/v1/${id}`, options)).body.transaction as Shown;
    return wanted.states.includes(transaction.state) && (wanted.until?.(transaction) ?? true);
  };
  await until(`${id} is ${wanted.states}`, isThere, { everyMs: 50 }).catch(async (error: Error) => {
    const { body: shown } = await service.get(`/transactions/v1/${id}/timeline`, options);
    const lines = (shown.timeline as Shown[]).map((line) => `${line.from} -> ${line.to}: ${line.reason}`);
    assert.fail(
      `${error.message}; it is ${transaction.state} (${transaction.exception}):\n${lines.join('\n')}`,
    );
  });
  return transaction;
}

export async function booksBalance({ foundation }: Pick<TestService, 'foundation'>): Promise<void> {
  const { rows: assets } = await foundation.database.query({
    text: 'select mode, asset, sum(balance) as sum from accounts group by mode, asset having sum(balance) <> 0',
  });
  assert.deepEqual(assets, []);
  const { rows: accounts } = await foundation.database.query({
    text: `select a.key from accounts a left join postings p on p.account_id = a.id
      group by a.id having a.balance <> coalesce(sum(p.amount_minor), 0)`,
  });
  assert.deepEqual(accounts, []);
}
