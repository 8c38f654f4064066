// Tests reconciled days in PostgreSQL: a late statement, a statement that explains an older day, cases that open once and close
// automatically, and a rail whose balance differs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { putStatement } from '../../../test/support/reconciliation/statement-rows.ts';
import { openRig } from '../../../test/support/settlement.ts';
import { makeReconciliationStore } from '../../adapters/postgres/reconciliation/reconciliation-store.ts';
import { makeSystemEntropy } from '../../adapters/system.ts';
import { entryOf, type LedgerEvent } from '../../domain/ledger/ledger.ts';
import { lagosDayToMs } from '../../domain/values/calendar.ts';
import { compareDay, lastWholeDay, reconcileAccount } from './reconcile-account.ts';

const rig = await openRig();
const { database } = rig;
const reconciliation = makeReconciliationStore(database);
const deps = { reconciliation, clock: { now: () => rig.now() }, entropy: makeSystemEntropy() };
const HOUR = 3_600_000;
let accounts = 0;

function open() {
  const of = { mode: 'live', account: `058:${String(++accounts).padStart(10, '0')}` } as const;
  const book = async (
    event: LedgerEvent,
    day: string,
    amount: bigint,
    subjectId = `crd_${accounts}_${day}`,
  ) => {
    const facts = { mode: 'live', subjectId, bankAccount: of.account, payoutAccount: of.account } as const;
    const entries = [entryOf(event, { ...facts, amounts: { amount } })];
    const [outcome] = await rig.deps.store.commit([{ atMs: lagosDayToMs(day) + 12 * HOUR, entries }]);
    assert.equal(outcome?.kind, 'committed');
  };
  return {
    of,
    book,
    state: (
      day: string,
      openingMinor: bigint,
      closingMinor: bigint,
      rows: Parameters<typeof putStatement>[3],
    ) => putStatement(database, { ...of, day }, { openingMinor, closingMinor }, rows),
    run: (through: string) => reconcileAccount(deps, of, through),
    stateOf: async (day: string) => (await reconciliation.find({ ...of, day }))?.state,
    cases: () =>
      rig.rows<{ about: string; outcome: string | null; amount: string }>(
        `select about, outcome, amount_minor as amount from cases where kind = 'reconciliation_difference'
          and starts_with(about, $1 || ' ') order by about`,
        of.account,
      ),
  };
}

test('a day with a matching statement is balanced, a missing statement is reported, and a second run changes nothing', async () => {
  const { of, book, state, run, stateOf, cases } = open();
  await book('credit_received', '2026-11-02', 1_500_000n);
  await state('2026-11-02', 0n, 1_500_000n, [{ amountMinor: 1_500_000n }]);
  const { results, opened } = await run('2026-11-03');
  assert.deepEqual([results.length, opened], [2, 0]);
  assert.deepEqual([await stateOf('2026-11-02'), await stateOf('2026-11-03')], ['balanced', 'no_statement']);
  assert.deepEqual((await run('2026-11-03')).results, []);
  assert.deepEqual(await cases(), []);
  const { links } = await compareDay(deps, { ...of, day: '2026-11-02' });
  assert.deepEqual(
    links.map(({ way }) => way),
    ['amount'],
  );
  assert.equal(
    (await reconciliation.list({ ...of, from: null, to: null, state: 'balanced', after: null, limit: 9 }))
      .length,
    1,
  );
});

test('money that is not booked opens one case; a later booking resolves it and explains the older day', async () => {
  const { of, book, state, run, stateOf, cases } = open();
  await state('2026-11-02', 0n, 1_500_000n, [{ amountMinor: 1_500_000n, narration: 'ADA' }]);
  assert.equal((await run('2026-11-02')).opened, 1);
  assert.equal((await run('2026-11-02')).opened, 0);
  assert.equal(await stateOf('2026-11-02'), 'differs');
  assert.deepEqual(await cases(), [
    { about: `${of.account} 2026-11-02 statement row 2026-11-02-0/1`, outcome: null, amount: '1500000' },
  ]);
  await book('credit_received', '2026-11-03', 1_500_000n);
  await state('2026-11-03', 1_500_000n, 1_500_000n, []);
  const again = await run('2026-11-03');
  assert.deepEqual([again.opened, again.resolved], [0, 1]);
  assert.deepEqual([await stateOf('2026-11-02'), await stateOf('2026-11-03')], ['explained', 'balanced']);
  const [late] = await reconciliation.differences({ ...of, day: '2026-11-02' });
  assert.deepEqual([late?.reason, late?.onDay, late?.isExplained], ['later_in_books', '2026-11-03', true]);
  assert.equal((await cases())[0]?.outcome, 'resolved');
});

test('a difference stores no payer text: it shows the text of its row, or none after the row is erased', async () => {
  const { of, state, run } = open();
  const words = { narration: 'NIP/ADA OBI', reference: '0123456785 ADA' };
  await state('2026-11-02', 0n, 900n, [{ amountMinor: 900n, ...words }]);
  await run('2026-11-02');
  const kept = 'select facts::text from reconciliation_items where account = $1';
  assert.doesNotMatch((await rig.rows<{ facts: string }>(kept, of.account))[0]!.facts, /ADA/);
  const shown = async (day: string) => {
    const [found] = await reconciliation.differences({ ...of, day });
    return [found?.row?.narration, found?.row?.reference];
  };
  assert.deepEqual(await shown('2026-11-02'), [words.narration, words.reference]);
  const hash = `h1:${'a'.repeat(64)}`;
  await rig.rows(
    'update statement_rows set narration = $2, reference = $2 where account = $1',
    of.account,
    hash,
  );
  await run('2026-11-03');
  assert.deepEqual(await shown('2026-11-03'), ['erased', 'erased']);
});

test('a difference that people explained in its case counts as explained', async () => {
  const { of, state, run, stateOf } = open();
  await state('2026-11-02', 0n, -5_000n, [{ amountMinor: -5_000n, kind: 'charge', narration: 'SMS ALERT' }]);
  await run('2026-11-02');
  await rig.rows(
    `update cases set closed_at = now(), closed_by = 'per_1', outcome = 'explained' where starts_with(about, $1 || ' ')`,
    of.account,
  );
  assert.equal(await stateOf('2026-11-02'), 'explained');
  assert.equal((await run('2026-11-03')).opened, 0);
});

test('after a late or corrected statement, that day and the following days are reconciled again', async () => {
  const { book, state, run, stateOf } = open();
  await book('credit_received', '2026-11-02', 700n);
  await book('credit_received', '2026-11-03', 900n);
  await state('2026-11-02', 0n, 700n, [{ amountMinor: 700n }]);
  await state('2026-11-04', 1_600n, 1_600n, []);
  await run('2026-11-04');
  assert.equal(await stateOf('2026-11-04'), 'differs');
  await state('2026-11-03', 700n, 1_600n, [{ amountMinor: 900n }]);
  const { results, resolved } = await run('2026-11-04');
  assert.deepEqual([results.map(({ day }) => day), resolved], [['2026-11-03', '2026-11-04'], 1]);
  assert.equal(await stateOf('2026-11-04'), 'balanced');
  await state('2026-11-02', 0n, 701n, [{ amountMinor: 701n }]);
  assert.equal((await run('2026-11-04')).results.length, 3);
  assert.equal(await stateOf('2026-11-04'), 'differs');
});

test('if an entry is booked for a day that was already reconciled, this is noticed', async () => {
  const { book, state, run, stateOf } = open();
  await state('2026-11-02', 0n, 0n, []);
  await state('2026-11-03', 0n, 0n, []);
  await run('2026-11-03');
  assert.equal(await stateOf('2026-11-02'), 'balanced');
  await book('credit_received', '2026-11-02', 100n);
  assert.equal((await run('2026-11-03')).results.length, 2);
  assert.equal(await stateOf('2026-11-03'), 'differs');
});

test('the balance that the rail reports is compared with the books of the same moment', async () => {
  const { of, book, state, run, stateOf } = open();
  await book('float_funded', '2026-11-02', 10_000n);
  await state('2026-11-02', 0n, 10_000n, [{ amountMinor: 10_000n }]);
  const at = new Date(lagosDayToMs('2026-11-03') + HOUR);
  await rig.rows(
    `insert into rail_health (mode, rail, account, place, seen_at, due_at, judged_from, balance_minor, balance_at)
      values ('live', 'odd', $1, 1, now(), now(), now(), 9000, $2)`,
    of.account,
    at,
  );
  await book('float_funded', '2026-11-03', 77n);
  assert.equal((await run('2026-11-02')).opened, 1);
  const [rail] = await reconciliation.differences({ ...of, day: '2026-11-02' });
  assert.deepEqual(
    [rail?.reason, rail?.offMinor, await stateOf('2026-11-02')],
    ['rail_differs', 1_000n, 'differs'],
  );
});

test('the first balance of a new rail is checked a day later, so that there is time to book it', async () => {
  const { of, book, run, cases } = open();
  const read = (day: string) =>
    rig.rows(
      `insert into rail_health (mode, rail, account, place, seen_at, due_at, judged_from, balance_minor, balance_at)
        values ('live', 'new', $1, 1, now(), now(), now(), 9000, $2)
        on conflict (mode, rail) do update set balance_at = excluded.balance_at`,
      of.account,
      new Date(lagosDayToMs(day) + HOUR),
    );
  await read('2026-11-03');
  await book('float_funded', '2026-11-03', 8_999n);
  assert.equal((await run('2026-11-02')).opened, 0);
  assert.equal((await run('2026-11-02')).opened, 0);
  await read('2026-11-04');
  assert.equal((await run('2026-11-03')).opened, 1);
  assert.deepEqual(
    (await cases()).map(({ amount }) => amount),
    ['1'],
  );
});

test('a day is complete ten minutes after midnight in Lagos, and only one process at a time can take the daily lease', async () => {
  assert.equal(lastWholeDay(Date.parse('2026-11-17T23:05:00Z')), '2026-11-16');
  assert.equal(lastWholeDay(Date.parse('2026-11-17T23:11:00Z')), '2026-11-17');
  assert.equal(await reconciliation.takeTurn('walk', 1_000, 500), true);
  assert.equal(await reconciliation.takeTurn('walk', 1_400, 500), false);
  assert.equal(await reconciliation.takeTurn('walk', 1_500, 500), true);
});
