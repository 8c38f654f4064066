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
    name: 'stale_change_is_written',
    what: 'A change that is reported as stale is written all the same.',
    patches: [
      {
        file: STATEMENT,
        find: 'stale === NONE ? changes : changes.filter((_, unit) => !stale.has(unit))',
        replace: 'changes',
      },
    ],
  },
  {
    name: 'outcomes_in_another_order',
    what: 'The outcomes of a commit come back in another order than its changes.',
    patches: [
      {
        file: 'test/simulation/model/commit.ts',
        find: 'outcomes[at] = stale.has(unit) ? STALE : COMMITTED;',
        replace: 'outcomes[placed.at(-1 - unit)!.at] = stale.has(unit) ? STALE : COMMITTED;',
      },
    ],
  },
  {
    name: 'first_attempt_for_last',
    what: 'The first attempt at a movement is read for the last one.',
    patches: [
      {
        file: 'test/simulation/model/reads.ts',
        find: 'attempts.get(id)?.at(-1)',
        replace: 'attempts.get(id)?.at(0)',
      },
    ],
  },
];
