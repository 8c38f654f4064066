// Plays a month on local banks that fail, and reconciles every day of it to the kobo: buys that customers pay, sells, refunds,
// returned payouts, and bank charges. The books are compared with the banks' own statements, which are imported as files.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { startLocalBanks } from '../../local-banks/start.ts';
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { makeReconciliationStore } from '../../src/adapters/postgres/reconciliation/reconciliation-store.ts';
import { makeStatementStore } from '../../src/adapters/postgres/statements/statement-store.ts';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { makeSystemEntropy } from '../../src/adapters/system.ts';
import { payoutAccountOf } from '../../src/app/movements/payouts/choose-rail.ts';
import { watchEndedPayouts } from '../../src/app/movements/payouts/watch-ended-payouts.ts';
import { reconcileAccount } from '../../src/app/reconciliation/reconcile-account.ts';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { readConfig } from '../../src/config.ts';
import { accountDetail } from '../../src/domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../src/domain/ledger/ledger.ts';
import { isExplainingReason } from '../../src/domain/reconciliation/explain-differences.ts';
import { addDays, daysBetween } from '../../src/domain/reconciliation/working-days.ts';
import { lagosDay, lagosDayToMs } from '../../src/domain/values/calendar.ts';
import { readRailSettings } from '../../src/wire/banks.ts';
import { trustProfiles } from '../statements/layouts.ts';
import { databaseUrl } from '../support/database.ts';
import { makeDice } from '../support/dice.ts';
import { openRig, PAYER, POLYGON_WALLET } from '../support/settlement.ts';

/** MONTH_DAYS=30 plays a whole month. */
const DAYS = Number(process.env.MONTH_DAYS ?? 10);
const HOUR = 3_600_000;
const FUNDED = 50_000_000_000n;
const NAME = 'ADAEZE OKAFOR';

const rig = await openRig();
const { database } = rig;
const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-month-'));
// Starts in the morning, so that every day of the month is complete.
rig.pass(lagosDayToMs(addDays(lagosDay(rig.now()), 1)) + 8 * HOUR - rig.now());
const banks = await startLocalBanks({ dir, now: () => rig.now(), charges: true });
after(async () => {
  await banks.close();
  rmSync(dir, { recursive: true });
});
const { banksFile } = readConfig({ BANKS_FILE: banks.environment.BANKS_FILE! });
const [nip, paystack] = readRailSettings({ banksFile }).map((each) =>
  each.open({ directory: loadBankDirectory(), clock: { now: () => rig.now() } }),
);
const settling = rig.another({ rails: () => [nip!, paystack!] });
const reconciliation = makeReconciliationStore(database);
const deps = { reconciliation, clock: { now: () => rig.now() }, entropy: makeSystemEntropy() };
const dice = makeDice('a month');

const vendorNumber = banks.paystack.account.number;
const payoutOf = (rail: typeof nip) => ({ account: payoutAccountOf(rail as never)!, vendorId: null });
const ACCOUNTS = [
  { rail: 'providus', number: nip!.account!.number, ...payoutOf(nip) },
  { rail: 'paystack', number: paystack!.account!.number, ...payoutOf(paystack) },
  {
    ...{ rail: 'paystack', number: vendorNumber, account: accountDetail('wema-bank', vendorNumber) },
    vendorId: 'vnd_month',
  },
] as const;

async function fund(): Promise<void> {
  const entries = ACCOUNTS.slice(0, 2).map(({ account: payoutAccount }) =>
    entryOf('float_funded', { mode: 'test', subjectId: 'setup', payoutAccount, amounts: { amount: FUNDED } }),
  );
  assert.deepEqual(await settling.deps.store.commit([{ atMs: rig.now(), entries }]), [{ kind: 'committed' }]);
}

const [at] = await rig.rows<{ name: string }>('select current_database() as name');
const importing = {
  store: settling.deps.store,
  statements: makeStatementStore(database, { connectionString: databaseUrl(at!.name) }),
  statementReaders: trustProfiles(makeStatementReaders(null)),
  ...{ banks: loadBankDirectory(), clock: deps.clock, entropy: deps.entropy },
};

/** Like `statements import`. Returns the first and the last day of the file. */
async function importFile({ rail, number, account, vendorId }: (typeof ACCOUNTS)[number]) {
  const csv = banks.statement({ rail, number });
  const result = await importStatement(importing, {
    ...{ account: { mode: 'test', account, number, vendorId }, name: `${number}.csv`, actor: 'os:test' },
    ...{ profile: null, profileChange: false, dryRun: false },
    bytes: (async function* () {
      yield Buffer.from(csv);
    })(),
  });
  if (!result.ok) assert.fail(result.error.message);
  const { file, gaps } = result.value;
  assert.deepEqual([file.problems.list, gaps, file.rowsRead], [[], 0, csv.trim().split('\r\n').length - 1]);
  return file;
}

/** A statement proves only the days before its last day, so every account gets a row on the day after the month. */
async function moveOnce(): Promise<void> {
  for (const rail of ['providus', 'paystack'] as const) banks.topUp({ rail, amount: '1000.00' });
  await banks.payIn({
    ...{ rail: 'paystack', accountNumber: vendorNumber, amount: '500.00', narration: 'after the month' },
    payer: { accountNumber: PAYER.account, name: NAME, bankCode: '058', shown: 'full' },
  });
}

/** Time passes at the banks and in the service, and all due work is done. */
async function passing(ms: number, steps: number): Promise<void> {
  for (let step = 0; step < steps; step++) {
    rig.pass(ms / steps);
    await settling.run();
  }
  await watchEndedPayouts(settling.deps);
  await settling.run();
}

async function play(no: number): Promise<void> {
  const naira = BigInt(15_000 + dice.below(400) * 50);
  const amountMinor = naira * 100n;
  if (no % 2 === 0) {
    await rig.buy({
      ...{ amountMinor, accountName: NAME, accountNumber: PAYER.account, wallet: POLYGON_WALLET },
      vendor: { vendorId: 'vnd_month', name: 'Month', number: vendorNumber, bank: 'Wema Bank' },
    });
    // Every second buyer pays too much, and the excess is refunded.
    const paid = no % 4 === 0 ? naira + 6_000n : naira;
    await banks.payIn({
      ...{ rail: 'paystack', accountNumber: vendorNumber, amount: `${paid}.00`, narration: `buy ${no}` },
      payer: { accountNumber: PAYER.account, name: NAME, bankCode: '058', shown: 'full' },
    });
    return;
  }
  const accountNumber = String(3_000_000_000 + no);
  banks.setAccount({ number: accountNumber, name: NAME });
  const sell = await rig.sell({ amountMinor, accountNumber, accountName: NAME, wallet: POLYGON_WALLET });
  await rig.depositFor(sell, amountMinor);
}

const FAULTS = [
  { kind: 'cut-after', operation: 'pay' },
  { kind: 'error-502', operation: 'pay' },
  { kind: 'in-progress-then-success', seconds: 14 * 3_600 },
  { kind: 'in-progress-then-failure', seconds: 600 },
  { kind: 'success-then-reversed', seconds: 20 * 3_600 },
] as const;

test('a month of transactions with local banks is reconciled to the kobo', async (t) => {
  await fund();
  for (let day = 0; day < DAYS; day++) {
    banks.setFault(FAULTS[day % FAULTS.length]!);
    for (let orders = dice.between(1, 3); orders > 0; orders--) await play(day * 10 + orders);
    await passing(HOUR, 3);
    await passing(23 * HOUR, 2);
  }
  banks.clearFaults();
  await passing(48 * HOUR, 6);
  await moveOnce();
  const last = addDays(lagosDay(rig.now()), -1);
  let [compared, linked, expected] = [0, 0, 0];
  for (const each of ACCOUNTS) {
    const { account } = each;
    const { fromDay } = await importFile(each);
    expected += daysBetween(fromDay!, last).length;
    const { results } = await reconcileAccount(deps, { mode: 'test', account }, last);
    for (const { day, open, statement, links } of results) {
      assert.ok(statement !== null, `${account} ${day} has no statement`);
      const unexplained = open.filter(({ reason }) => !isExplainingReason(reason));
      assert.deepEqual(unexplained, [], `${account} ${day}`);
      compared++;
      linked += links.length;
    }
    assert.equal(results.at(-1)!.state, 'balanced', account);
  }
  t.diagnostic(`${compared} days of ${ACCOUNTS.length} accounts, ${linked} links`);
  assert.equal(compared, expected);
  assert.ok(compared > DAYS * 2);
  const events = await rig.rows<{ event: string }>('select distinct event from entries');
  for (const event of [
    'credit_received',
    'payout_paid',
    'refund_paid',
    'payout_returned',
    'stamp_duty_charged',
  ])
    assert.ok(
      events.some((each) => each.event === event),
      `the month has no ${event}`,
    );
});
