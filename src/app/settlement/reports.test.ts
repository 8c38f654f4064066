// Tests that one transfer counts once. The credit source of an account creates its credits, and reports of other sources are
// linked to these credits. An unmatched or contradicting report becomes a case. The tests run on PostgreSQL, whose triggers
// enforce the rule.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openRig } from '../../../test/support/settlement.ts';
import { makeReviewStore } from '../../adapters/postgres/review/review-store.ts';
import { countReport, explainCase } from '../../domain/review/question-cases.ts';
import type { CreditLine } from '../../ports/rails/rail-statement.ts';
import { newId } from '../engine/deps.ts';
import { linkReports } from './link-reports.ts';
import { recordLines } from './record-lines.ts';

const rig = await openRig();
const reviewDesk = makeReviewStore(rig.database);
await rig.run();
const [RAIL, STATEMENTS] = ['rail', 'statements'] as const;
let count = 0;

function lineOf(changes: Partial<CreditLine> = {}): CreditLine {
  return {
    ...{ kind: 'credit', sourceId: `line-${++count}`, accountNumber: '9900000011', accountBankCode: null },
    ...{ amountMinor: 1_000_00n, payerAccount: '0123456789', payerName: 'Adaeze Okafor' },
    ...{ payerBankName: null, narration: null, sessionId: null, valueAtMs: rig.now(), raw: {} },
    ...changes,
  };
}

const record = (name: string, ...lines: CreditLine[]) => recordLines(rig.deps, { mode: 'test', name }, lines);

async function link(): Promise<void> {
  rig.pass(2_000);
  for (let turn = 0; turn < 3; turn++) {
    const request = { atMs: rig.now(), leaseMs: 1_000, limit: 50 };
    await linkReports(rig.deps, await rig.deps.store.leaseReports(request));
    rig.pass(5_000);
  }
}

const reports = (account: string) =>
  rig.rows<{ id: string; source_id: string; state: string; credit_id: string | null }>(
    'select id, source_id, state, credit_id from credit_reports where account_number = $1 order by id',
    account,
  );
const credits = (account: string) =>
  rig.rows<{ id: string; source: string }>(
    'select id, source from bank_credits where account_number = $1 order by id',
    account,
  );
const cases = (account: string) =>
  rig.rows<{ id: string; kind: string; about: string; outcome: string | null }>(
    `select c.id, c.kind, c.about, c.outcome from cases c join credit_reports r on r.id = c.about
      where r.account_number = $1 order by c.id`,
    account,
  );

const changeSource = (accountNumber: string, source: string) =>
  rig.rows(
    'update credit_sources set source = $1, others = true, version = version + 1 where account like $2',
    source,
    `%${accountNumber}`,
  );

test('C5: one transfer that two sources report is one credit, and the second report is linked to it', async () => {
  const accountNumber = '9911000001';
  const [credit] = await record(RAIL, lineOf({ accountNumber }));
  assert.deepEqual(await record(STATEMENTS, lineOf({ accountNumber, payerAccount: '******6789' })), []);
  assert.deepEqual(await record('other rail', lineOf({ accountNumber })), []);
  await link();
  const found = await reports(accountNumber);
  assert.deepEqual(
    found.map(({ state, credit_id }) => [state, credit_id]),
    [
      ['linked', credit!.id],
      ['linked', credit!.id],
    ],
  );
  assert.equal((await credits(accountNumber)).length, 1);
});

test('C5: one session id is one transfer, even if one source reports it under two ids', async () => {
  const accountNumber = '9911000002';
  const said = { accountNumber, sessionId: 'session of a tester' };
  const first = await record(RAIL, lineOf(said));
  const again = await record(RAIL, lineOf(said), lineOf(said));
  assert.deepEqual([first.length, again.length], [1, 0]);
  await link();
  assert.deepEqual(
    (await reports(accountNumber)).map(({ state, credit_id }) => [state, credit_id]),
    Array(2).fill(['linked', first[0]!.id]),
  );
  await record(RAIL, lineOf({ ...said, amountMinor: 1_00n }));
  await link();
  assert.deepEqual(
    (await cases(accountNumber)).map(({ kind }) => kind),
    ['reports_disagree'],
  );
  assert.equal((await credits(accountNumber)).length, 1);
});

test('a report with a session id replaces a wrongly linked report, which is then linked to its own credit or becomes a case', async () => {
  const accountNumber = '9911000012';
  const [known] = await record(RAIL, lineOf({ accountNumber, sessionId: 'known to both' }));
  await record(STATEMENTS, lineOf({ accountNumber, sourceId: 'without' }));
  await link();
  assert.equal((await reports(accountNumber))[0]?.credit_id, known!.id);
  await record(STATEMENTS, lineOf({ accountNumber, sourceId: 'with', sessionId: 'known to both' }));
  await link();
  const found = new Map((await reports(accountNumber)).map((each) => [each.source_id, each]));
  assert.deepEqual([found.get('with')?.state, found.get('with')?.credit_id], ['linked', known!.id]);
  assert.deepEqual([found.get('without')?.state, found.get('without')?.credit_id], ['case', null]);
  assert.equal((await credits(accountNumber)).length, 1);
});

test('two lines with the same session id in one read are one credit', async () => {
  const said = { accountNumber: '9911000003', sessionId: 'twice at once' };
  assert.equal((await record(RAIL, lineOf(said), lineOf(said))).length, 1);
  assert.equal((await reports('9911000003')).length, 1);
});

test('equal transfers and equal reports are linked one to one, and a report that remains becomes a case, not a credit', async () => {
  const accountNumber = '9911000004';
  await record(RAIL, lineOf({ accountNumber }), lineOf({ accountNumber }));
  await record(STATEMENTS, ...Array.from({ length: 3 }, () => lineOf({ accountNumber })));
  await link();
  const found = await reports(accountNumber);
  assert.deepEqual(found.map(({ state }) => state).toSorted(), ['case', 'linked', 'linked']);
  const linked = found.flatMap(({ credit_id }) => credit_id ?? []);
  assert.equal(new Set(linked).size, 2);
  assert.deepEqual(
    (await cases(accountNumber)).map(({ kind }) => kind),
    ['report_left_over'],
  );
  assert.equal((await credits(accountNumber)).length, 2);
});

test('statements never become the source of an account automatically; if an account has no source, their lines become cases', async () => {
  const accountNumber = '9911000005';
  assert.deepEqual(await record(STATEMENTS, lineOf({ accountNumber })), []);
  await link();
  assert.deepEqual(
    (await reports(accountNumber)).map(({ state }) => state),
    ['case'],
  );
  assert.deepEqual(
    await rig.rows('select from credit_sources where account like $1', `%${accountNumber}`),
    [],
  );
});

test('two people count a report that remained; if the source reports the transfer late, it is linked and not counted again', async () => {
  const accountNumber = '9911000006';
  await record(RAIL, lineOf({ accountNumber, amountMinor: 7_00n }));
  await record(STATEMENTS, lineOf({ accountNumber }));
  await link();
  const [found] = await cases(accountNumber);
  const { store } = rig.deps;
  const open = (await reviewDesk.caseById(found!.id))!;
  const report = (await reviewDesk.reportById(found!.about))!;
  const by = { actor: 'reviewer', atMs: rig.now(), newCreditId: newId(rig.deps, 'crd') };
  const plan = countReport(open, report, by);
  assert.ok(plan.ok);
  assert.deepEqual(await store.commit([plan.value.change]), [{ kind: 'committed' }]);
  assert.deepEqual(await store.commit([plan.value.change]), [{ kind: 'stale' }], 'once');
  assert.deepEqual(await record(RAIL, lineOf({ accountNumber })), [], 'the same transfer, late');
  await link();
  assert.deepEqual(
    (await credits(accountNumber)).map(({ source }) => source),
    [RAIL, STATEMENTS],
  );
  assert.deepEqual((await reports(accountNumber)).map(({ state }) => state).toSorted(), [
    'counted',
    'linked',
  ]);
});

test('a report is not counted while a credit without a report from the same source could be its transfer', async () => {
  const accountNumber = '9911000007';
  await record(RAIL, lineOf({ accountNumber, amountMinor: 7_00n }));
  await record(STATEMENTS, lineOf({ accountNumber }));
  await link();
  const [found] = await cases(accountNumber);
  const open = (await reviewDesk.caseById(found!.id))!;
  const report = (await reviewDesk.reportById(found!.about))!;
  assert.equal((await record(RAIL, lineOf({ accountNumber }))).length, 1);
  const plan = countReport(open, report, {
    actor: 'r',
    atMs: rig.now(),
    newCreditId: newId(rig.deps, 'crd'),
  });
  assert.ok(plan.ok);
  const [outcome] = await rig.deps.store.commit([plan.value.change]);
  assert.deepEqual(outcome, {
    kind: 'refused',
    rule: 'fits_credit',
    constraint: 'bank_credits_counted_once',
  });
  const explained = explainCase(open, report, { actor: 'r', atMs: rig.now() });
  assert.ok(explained.ok);
  assert.deepEqual(await rig.deps.store.commit([explained.value.change]), [{ kind: 'committed' }]);
  assert.deepEqual(
    (await cases(accountNumber)).map(({ outcome: how }) => how),
    ['explained'],
  );
});

test('when the source changes, a line stored as a report never becomes a credit, and a credit never becomes a report', async () => {
  const accountNumber = '9911000008';
  const [given, reported] = [lineOf({ accountNumber }), lineOf({ accountNumber })];
  await record(RAIL, given);
  await record(STATEMENTS, reported);
  await link();
  await changeSource(accountNumber, STATEMENTS);
  assert.deepEqual(await record(STATEMENTS, reported), []);
  assert.deepEqual(await record(RAIL, given), []);
  assert.deepEqual([(await credits(accountNumber)).length, (await reports(accountNumber)).length], [1, 1]);
  // Statements are now the credit source, so another transfer of the same payer is new money.
  assert.equal((await record(STATEMENTS, lineOf({ accountNumber }))).length, 1);
  assert.deepEqual(await record(RAIL, lineOf({ accountNumber })), []);
});

const UNNAMED = { payerAccount: null, payerName: null };

test('after a change of the source, a line that is only similar to a credit becomes a case, not a second credit', async () => {
  const accountNumber = '9911000013';
  const [known] = await record(RAIL, lineOf({ accountNumber }));
  await changeSource(accountNumber, STATEMENTS);
  // The new credit source does not name the payer. Only the account, the amount and the day suggest that both lines may be
  // about the same transfer.
  const alike = [lineOf({ accountNumber, ...UNNAMED }), lineOf({ accountNumber, ...UNNAMED })];
  assert.deepEqual(await record(STATEMENTS, ...alike), []);
  await link();
  assert.deepEqual(await credits(accountNumber), [{ id: known!.id, source: RAIL }]);
  assert.deepEqual(
    (await cases(accountNumber)).map(({ kind }) => kind),
    ['report_left_over', 'report_left_over'],
  );
  // A line that cannot be about the same transfer is new money.
  const far = lineOf({ accountNumber, ...UNNAMED, valueAtMs: rig.now() - 5 * 86_400_000 });
  const other = lineOf({ accountNumber, ...UNNAMED, amountMinor: 2_000_00n });
  assert.equal((await record(STATEMENTS, far, other)).length, 2);
});

test('after a change of the source, a line about a known transfer is linked, and a contradicting line becomes a case', async () => {
  const accountNumber = '9911000014';
  const [byPayer] = await record(RAIL, lineOf({ accountNumber }));
  const session = { accountNumber, amountMinor: 9_00n, sessionId: 'reported before the change' };
  await record(RAIL, lineOf(session));
  await changeSource(accountNumber, STATEMENTS);
  assert.deepEqual(await record(STATEMENTS, lineOf({ accountNumber })), [], 'its payer is the same');
  assert.deepEqual(await record(STATEMENTS, lineOf({ ...session, amountMinor: 8_00n })), []);
  await link();
  assert.deepEqual(
    (await reports(accountNumber)).map(({ state, credit_id }) => [state, credit_id]).toSorted(),
    [
      ['case', null],
      ['linked', byPayer!.id],
    ],
  );
  assert.deepEqual(
    (await cases(accountNumber)).map(({ kind }) => kind),
    ['reports_disagree'],
  );
  assert.equal((await credits(accountNumber)).length, 2);
});

test('a report of a source that creates no credits is linked to a credit even if it is only similar', async () => {
  const accountNumber = '9911000015';
  const [known] = await record(RAIL, lineOf({ accountNumber }));
  await record(STATEMENTS, lineOf({ accountNumber, ...UNNAMED }));
  await link();
  assert.deepEqual(
    (await reports(accountNumber)).map(({ state, credit_id }) => [state, credit_id]),
    [['linked', known!.id]],
  );
});

test('a decision based on an old source rule is made again', async () => {
  const accountNumber = '9911000009';
  await record(RAIL, lineOf({ accountNumber, amountMinor: 3_00n }));
  const { store } = rig.deps;
  let asked = 0;
  const overtaken = {
    ...rig.deps,
    store: {
      ...store,
      creditSources: async (...given: Parameters<typeof store.creditSources>) => {
        const rules = await store.creditSources(...given);
        if (asked++ === 0) await changeSource(accountNumber, 'other rail');
        return rules;
      },
    },
  };
  assert.deepEqual(
    await recordLines(overtaken, { mode: 'test', name: RAIL }, [lineOf({ accountNumber })]),
    [],
  );
  assert.equal(asked, 2);
  assert.equal((await reports(accountNumber)).length, 1);
});
