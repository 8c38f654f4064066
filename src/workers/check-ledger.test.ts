// Tests the Prometheus metrics of the ledger watch: drift, halts, balances and queues. The ledger watch removes series that no
// longer apply.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../test/support/patience.ts';
import { makeGuards } from '../app/treasury/guards.ts';
import { makeMetrics } from '../http/metrics.ts';
import type { AuditedAccount, Halt, LedgerAudit } from '../ports/ledger.ts';
import type { Network, Networks } from '../ports/networks/network.ts';
import type { QueueMetrics } from '../ports/queue-metrics.ts';
import { startLedgerCheck, startLedgerWatch } from './check-ledger.ts';
import { startGuardReport } from './report-guards.ts';

function account(name: AuditedAccount['name'], side: 'debit' | 'credit', balanceMinor: bigint, detail = '') {
  const of = { mode: 'test', asset: 'NGN', misnotedMinor: 0n } as const;
  return { ...of, key: `test/NGN/${name}${detail}`, name, side, balanceMinor, postedMinor: balanceMinor };
}

const SOUND: readonly AuditedAccount[] = [
  account('bank_in', 'debit', 30n, '/058:1'),
  account('bank_in', 'debit', 12n, '/058:2'),
  account('suspense', 'credit', -42n),
];

const NONE = { live: 0, test: 0 };
const NOTHING_WAITS = {
  onHold: [],
  reviewCredits: NONE,
  suspenseDeposits: NONE,
  stuckRefunds: NONE,
  reviewNotices: NONE,
  openCases: NONE,
  quarantined: NONE,
  depositsNeedTwo: NONE,
};

const QUEUES_WAIT: QueueMetrics = {
  readQueues: async (atMs) => [{ queue: 'movements', due: 3, oldestDueMs: atMs - 4_500 }],
  readStuck: async () => [
    { what: 'movements', state: 'unknown', oldestMs: 1_000_000 - 86_400_000 },
    { what: 'transactions', state: 'paid', oldestMs: null },
  ],
  readWaiting: async () => ({
    ...NOTHING_WAITS,
    onHold: [{ mode: 'live', type: 'buy', count: 7 }],
    reviewCredits: { live: 1, test: 2 },
    suspenseDeposits: { live: 0, test: 3 },
    stuckRefunds: { live: 5, test: 0 },
    reviewNotices: { live: 6, test: 0 },
    openCases: { live: 0, test: 4 },
    quarantined: { live: 8, test: 0 },
    depositsNeedTwo: { live: 9, test: 0 },
  }),
};

test('threat 94: a ledger drift is reported, halts the asset, and disappears from the metrics once it is corrected', async () => {
  let accounts = SOUND;
  let halts: Halt[] = [];
  const troubles: string[] = [];
  const metrics = makeMetrics({});
  const ledgerAudit: Partial<LedgerAudit> = {
    check: async () => ({ accounts, newEntries: 2 }),
    listHalts: async () => halts,
    halt: async (halt) => {
      if (halts.length > 0) return false;
      halts = [halt];
      return true;
    },
  };
  const watch = startLedgerWatch({
    ledgerAudit: ledgerAudit as LedgerAudit,
    queueMetrics: QUEUES_WAIT,
    claimLimits: { nearLimit: async () => [] },
    networks: { enabled: () => [] as Network[], disabled: () => [] } as unknown as Networks,
    clock: { now: () => 1_000_000 },
    guards: makeGuards({ clock: { now: () => 0 } }),
    instruments: metrics,
    onTrouble: (message) => troubles.push(message),
    onError: (error) => assert.fail(error),
    everyMs: 5,
  });
  const untilShown = (line: string) =>
    until(line, async () => (await metrics.registry.metrics()).includes(`${line}\n`), { everyMs: 5 });
  try {
    await untilShown('sliproad_ledger_drift{mode="test",asset="NGN"} 0');
    await untilShown('sliproad_account_balance{mode="test",asset="NGN",account="bank_in"} 42');
    await untilShown('sliproad_account_balance{mode="test",asset="NGN",account="suspense"} 42');
    await untilShown('sliproad_ledger_halted{mode="test",asset="NGN"} 0');
    await untilShown('sliproad_queue_oldest_seconds{queue="movements"} 4.5');
    await untilShown('sliproad_queue_due{queue="movements"} 3');
    await untilShown('sliproad_on_hold{mode="live",type="buy"} 7');
    await untilShown('sliproad_review_credits{mode="test"} 2');
    await untilShown('sliproad_stuck_oldest_seconds{what="movements",state="unknown"} 86400');
    await untilShown('sliproad_stuck_oldest_seconds{what="transactions",state="paid"} 0');
    await untilShown('sliproad_suspense_deposits{mode="test"} 3');
    await untilShown('sliproad_stuck_refunds{mode="live"} 5');
    await untilShown('sliproad_review_notices{mode="live"} 6');
    await untilShown('sliproad_recovery_cases_open{mode="test"} 4');
    await untilShown('sliproad_quarantined_lines{mode="live"} 8');
    await untilShown('sliproad_deposits_need_two{mode="live"} 9');
    assert.deepEqual(troubles, []);
    accounts = SOUND.map((each, index) => (index === 0 ? { ...each, balanceMinor: 25n } : each));
    // The postings of the ledger account differ by five, and its debits and credits differ by five.
    await untilShown('sliproad_ledger_drift{mode="test",asset="NGN"} 10');
    await untilShown('sliproad_ledger_halted{mode="test",asset="NGN"} 1');
    assert.deepEqual(troubles, ['the ledger does not balance']);
    accounts = SOUND;
    halts = [];
    await untilShown('sliproad_ledger_drift{mode="test",asset="NGN"} 0');
    assert.match(await metrics.registry.metrics(), /\nsliproad_ledger_checked_entries_total [1-9]/);
  } finally {
    await watch.stop();
  }
});

test('assets without known decimals are reported once', async () => {
  const troubles: unknown[] = [];
  let checks = 0;
  const token = { ...account('treasury', 'debit', 0n), key: 'test/TKN@Net/treasury', asset: 'TKN@Net' };
  const ledgerAudit: Partial<LedgerAudit> = {
    check: async () => {
      checks++;
      return { accounts: [token], newEntries: 0 };
    },
    listHalts: async () => [],
  };
  const watch = startLedgerWatch({
    ledgerAudit: ledgerAudit as LedgerAudit,
    claimLimits: { nearLimit: async () => [] },
    queueMetrics: {
      readQueues: async () => [],
      readStuck: async () => [],
      readWaiting: async () => NOTHING_WAITS,
    },
    networks: { enabled: () => [] as Network[], disabled: () => [] } as unknown as Networks,
    clock: { now: () => 0 },
    guards: makeGuards({ clock: { now: () => 0 } }),
    instruments: makeMetrics({}),
    onTrouble: (message, detail) => troubles.push([message, detail]),
    onError: (error) => assert.fail(error),
    everyMs: 1,
  });
  await until('there were some checks', () => checks > 3);
  await watch.stop();
  assert.deepEqual(troubles, [
    ['the ledger cannot be compared across assets', { decimals_unknown: ['test TKN@Net'] }],
  ]);
});

test('threat 113: a check that fails with an error is reported like a finding, and one successful check ends the alert', async () => {
  let nowMs = 0;
  let isBroken = true;
  const clock = { now: () => nowMs };
  const guards = makeGuards({ clock });
  const metrics = makeMetrics({});
  const [said, errors]: [string[], string[]] = [[], []];
  const ledgerAudit: Partial<LedgerAudit> = {
    check: async () => {
      if (isBroken) throw new Error('Cannot convert NaN to a BigInt');
      return { accounts: SOUND, newEntries: 0 };
    },
    listHalts: async () => [],
  };
  const deps = {
    ...{ ledgerAudit: ledgerAudit as LedgerAudit, clock, guards, instruments: metrics },
    networks: { enabled: () => [] as Network[], disabled: () => [] } as unknown as Networks,
    onTrouble: () => undefined,
    onError: (error: Error) => void errors.push(error.message),
  };
  const loops = [
    startLedgerCheck(deps, 1),
    startGuardReport({ ...deps, say: (loudness, message) => said.push(`${loudness}: ${message}`) }, 1),
  ];
  const shown = (mode: string, value: number) =>
    until(`${mode} ${value}`, async () =>
      (await metrics.registry.metrics()).includes(
        `sliproad_guard_blind{guard="The check of the ledger",mode="${mode}",asset=""} ${value}\n`,
      ),
    );
  await until('it failed some times', () => errors.length > 3);
  await shown('live', 0);
  nowMs += 120_001;
  await shown('live', 1);
  await shown('test', 1);
  await until('it was said', () => said.length > 0);
  assert.equal(guards.isUnwatched('live', 'NGN'), true);
  isBroken = false;
  await shown('live', 0);
  assert.equal(guards.isUnwatched('live', 'NGN'), false);
  await until('that it is over, too', () => said.length > 1);
  assert.deepEqual(said, [
    'error: a guard does not complete: outgoing money waits until it does',
    'info: a guard completes again',
  ]);
  await Promise.all(loops.map((loop) => loop.stop()));
});
