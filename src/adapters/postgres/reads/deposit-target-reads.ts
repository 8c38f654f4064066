// Reads the deposit targets of sells: which transaction a transfer belongs to, and which addresses the service must watch.
import { findIdLowerBound } from '../../../domain/values/ids.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Database } from '../connection/database.ts';

type DepositTargetReads = Pick<
  Store,
  'findDepositTargets' | 'depositAddresses' | 'oldDepositAddresses' | 'ownDepositAddresses'
>;

export function makeDepositTargetReads(database: Database): DepositTargetReads {
  return {
    findDepositTargets: async (mode, network, targets) => {
      if (targets.length === 0) return [];
      const { rows } = await database.query<{ id: string | null }>({
        name: 'find-deposit-targets',
        text: `select (select d.transaction_id from deposit_targets d
            where d.mode = $1 and d.network = $2 and d.address = x.address and d.memo = x.memo) as id
          from unnest($3::text[], $4::text[]) with ordinality as x(address, memo, n) order by x.n`,
        values: [mode, network, targets.map((each) => each.address), targets.map((each) => each.memo)],
      });
      return rows.map((row) => row.id ?? undefined);
    },
    depositAddresses: async (mode, network, sinceMs) => {
      const { rows } = await database.query<{ address: string }>({
        name: 'deposit-addresses',
        text: `select distinct address from deposit_targets where mode = $1 and network = $2 and transaction_id >= $3`,
        values: [mode, network, findIdLowerBound('txn', sinceMs)],
      });
      return rows.map(({ address }) => address);
    },
    oldDepositAddresses: async (mode, network, { beforeMs, afterId, limit }) => {
      const { rows } = await database.query<{ transactionId: string; address: string }>({
        name: 'old-deposit-addresses',
        text: `select transaction_id as "transactionId", address from deposit_targets
          where mode = $1 and network = $2 and transaction_id < $3 and transaction_id > $4
          order by transaction_id limit $5`,
        values: [mode, network, findIdLowerBound('txn', beforeMs), afterId ?? '', limit],
      });
      return rows;
    },
    ownDepositAddresses: async (mode, network, addresses) => {
      if (addresses.length === 0) return new Set();
      const { rows } = await database.query<{ address: string }>({
        name: 'own-deposit-addresses',
        text: `select x.address from unnest($3::text[]) as x(address) where exists (
            select from deposit_targets d where d.mode = $1 and d.network = $2 and d.address = x.address)`,
        values: [mode, network, addresses],
      });
      return new Set(rows.map(({ address }) => address));
    },
  };
}
