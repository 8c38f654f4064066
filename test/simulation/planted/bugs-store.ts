// Mistakes about what the database guarantees, in the model of it.
import type { Bug } from './plant.ts';

const STATEMENT = 'test/simulation/model/statement.ts';
const RECORDS = 'test/simulation/model/write-records.ts';

export const STORE_BUGS: readonly Bug[] = [
  {
    name: 'no_fence_on_transactions',
    what: 'A transaction is changed on whatever version it has.',
    patches: [
      {
        file: STATEMENT,
        find: 'if (transactions.rows.get(after.id)?.version !== version) return true;',
        replace: 'if (transactions.rows.get(after.id)!.version < version) return true;',
      },
    ],
  },
  {
    name: 'no_fence_on_movements',
    what: 'A movement is changed on whatever version it has.',
    patches: [
      {
        file: STATEMENT,
        find: 'if (movements.rows.get(after.id)?.version !== version) return true;',
        replace: 'if (movements.rows.get(after.id)!.version < version) return true;',
      },
    ],
  },
  {
    name: 'no_fence_on_credits',
    what: 'A credit is changed on whatever version it has.',
    patches: [
      {
        file: STATEMENT,
        find: 'if (credits.rows.get(after.id)?.version !== version) return true;',
        replace: 'if (credits.rows.get(after.id)!.version < version) return true;',
      },
    ],
  },
  {
    name: 'no_fence_on_deposits',
    what: 'A deposit is changed on whatever version it has.',
    patches: [
      {
        file: STATEMENT,
        find: 'if (deposits.rows.get(after.id)?.version !== version) return true;',
        replace: 'if (deposits.rows.get(after.id)!.version < version) return true;',
      },
    ],
  },
  {
    name: 'no_fence_on_notices',
    what: 'A notice is changed on whatever version it has.',
    patches: [
      {
        file: STATEMENT,
        find: 'if (notices.rows.get(after.id)?.version !== version) return true;',
        replace: 'if (notices.rows.get(after.id)!.version < version) return true;',
      },
    ],
  },
  {
    name: 'claims_keep_the_version',
    what: 'Taking a record off its queue does not raise its version: two may hold it.',
    patches: [
      {
        file: 'test/simulation/model/queues.ts',
        find: 'dueAtMs, version: row.version + 1, tries',
        replace: 'dueAtMs, tries',
      },
    ],
  },
  {
    name: 'line_told_twice_is_two_credits',
    what: 'A line the bank tells again is another credit.',
    patches: [
      {
        file: RECORDS,
        find: `({ mode, source, sourceId }: BankCredit) =>
  joined('credit', mode, source, sourceId);`,
        replace: `({ id, mode, source }: BankCredit) =>
  joined('credit', mode, source, id);`,
      },
    ],
  },
  {
    name: 'transfer_told_twice_is_two_deposits',
    what: 'A transfer the network tells of again is another deposit.',
    patches: [
      {
        file: RECORDS,
        find: `({ mode, network, txHash, txIndex }: Deposit) =>
  joined('deposit', mode, network, txHash, txIndex);`,
        replace: `({ id, mode, network, txHash }: Deposit) =>
  joined('deposit', mode, network, txHash, id);`,
      },
    ],
  },
  {
    name: 'reference_accepted_twice',
    what: 'The same reference of a business is accepted twice.',
    patches: [
      {
        file: 'test/simulation/model/accept.ts',
        find: '  if (memory.references.has(reference)) return false;\n',
        replace: '',
      },
    ],
  },
  {
    name: 'refused_change_leaves_parts',
    what: 'A change that a rule forbids is not taken back whole.',
    patches: [
      {
        file: STATEMENT,
        find: '    takeBack(journal);\n',
        replace: '',
      },
    ],
  },
  {
    name: 'accounts_may_run_dry',
    what: 'An account may stand on its wrong side.',
    patches: [
      {
        file: 'test/simulation/model/write-ledger.ts',
        find: "balance < 0n : balance > 0n) return 'accounts_not_negative';",
        replace: 'balance < 0n : balance > 0n) continue;',
      },
    ],
  },
  {
    name: 'limits_not_enforced',
    what: 'Two processes together may use more than the limit.',
    patches: [
      {
        file: 'test/simulation/model/write-marks.ts',
        find: "      if (usedMinor > limitMinor) return 'limit_usage_within';\n",
        replace: '',
      },
    ],
  },
  {
    name: 'two_movements_alive',
    what: 'A transaction may have two sends or payouts alive.',
    patches: [
      {
        file: RECORDS,
        find: 'isAlive(each) && idsIn(groups.alive, transactionId).size > 0)\n      return',
        replace: 'isAlive(each) && idsIn(groups.alive, transactionId).size > 9)\n      return',
      },
    ],
  },
  {
    name: 'credit_pays_two',
    what: 'A credit may be recorded as the payment of two transactions.',
    patches: [
      {
        file: 'test/simulation/model/write-marks.ts',
        find: 'if (match.transactionId !== null && before.some(({ transactionId }) => transactionId !== null))',
        replace: 'if (match.transactionId !== null && before.length > 99)',
      },
    ],
  },
];
