// The cases about the rows of one statement file are one group, and two people close them together. The proposal holds only for
// the cases and amounts that the first person saw.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKER, decideAs, MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { makeOperationsStore } from '../../adapters/postgres/operations/operations-store.ts';
import { makeMove } from '../../domain/records/change.ts';
import type { CreditReport } from '../../domain/records/credit.ts';
import { newId } from '../engine/deps.ts';
import { listProposals } from './list-proposals.ts';
import { readCaseGroup } from './plan-case-group.ts';
import { proposeReview } from './propose-review.ts';

const stage = await openReviewStage();
const { deps, clock, database } = stage;
const operations = makeOperationsStore(database);
let lines = 0;

/** A row of a statement file that became a case. */
async function openCase(file: string, amountMinor: bigint): Promise<string> {
  const atMs = clock.now();
  const report: CreditReport = {
    ...{ id: newId(deps, 'rpt'), mode: 'test', source: 'statements', sourceId: `row ${++lines}` },
    ...{ accountNumber: '9900000011', accountBankCode: null, amountMinor, payerAccount: null },
    ...{ payerName: null, payerBankName: null, payerBankCode: null, narration: null, sessionId: null },
    ...{
      balanceMinor: null,
      valueAtMs: atMs,
      receivedAtMs: atMs,
      raw: { file, line: lines },
      businessId: null,
    },
    ...{ state: 'waiting', creditId: null, isRepeat: false, version: 1, dueAtMs: atMs, tries: 0 },
  };
  await stage.commit({ atMs, newReports: [report] });
  const stored = (await deps.reviewDesk.reportById(report.id))!;
  const id = newId(deps, 'cas');
  const about = { transactionId: null, creditId: null, about: report.id, amountMinor };
  await stage.commit({
    atMs,
    reports: [makeMove(stored, { state: 'case', dueAtMs: null })],
    openCase: { id, kind: 'report_left_over', mode: 'test', businessId: null, ...about },
  });
  return id;
}

async function propose(subjectId: string, detail?: { cases: number; digest: string }) {
  const group = (await readCaseGroup(deps, subjectId))!;
  const asked = detail ?? { cases: group.cases, digest: group.digest };
  return proposeReview(deps, { action: 'explained_all', subjectId, detail: asked, actor: MAKER });
}

const decide = (proposalId: string, actor: string) =>
  decideAs(database, deps, { proposalId, actor, approve: true, reason: 'the account has no source' });
const stateOf = async (id: string) => (await deps.reviewDesk.caseById(id))!.outcome;

test('the cases about one file are one group with a count and a total, and leave the list of cases', async () => {
  const [first, , alone] = [
    await openCase('stf_list', 100_00n),
    await openCase('stf_list', 250_00n),
    await openCase('stf_alone', 1_00n),
  ];
  const [group] = await operations.listCaseGroups('test');
  assert.deepEqual(
    [group!.fileId, group!.cases, group!.amountMinor, group!.proposalId],
    ['stf_list', 2, 350_00n, null],
  );
  assert.deepEqual(await operations.listCaseGroups('live'), []);
  const listed = (await deps.reviewDesk.listQueue(10, 'test')).cases.map(({ id }) => id);
  assert.deepEqual([listed.includes(first!), listed.includes(alone!)], [false, true]);
  const filter = { mode: 'test', open: true, after: null, limit: 10 } as const;
  const idsOf = async (ofFile: string | null) =>
    (await operations.listCases({ ...filter, ofFile })).map(({ id }) => id);
  assert.deepEqual(
    [(await idsOf('stf_list')).length, await idsOf('loose'), (await idsOf(null)).length],
    [2, [alone], 3],
  );
});

test('two people close the group: each case is explained, its report too, and nothing is booked', async () => {
  const ids = [await openCase('stf_two', 100_00n), await openCase('stf_two', 50_00n)];
  const balance = await stage.balance('suspense');
  const proposed = await propose('stf_two');
  assert.ok(proposed.ok);
  assert.equal(proposed.value.amountMinor, 150_00n);
  assert.equal(
    (await operations.listCaseGroups('test')).find(({ fileId }) => fileId === 'stf_two')!.proposalId,
    proposed.value.id,
  );
  const alone = await decide(proposed.value.id, MAKER);
  assert.equal(alone.ok ? '' : alone.error.code, 'same_person');
  assert.ok((await decide(proposed.value.id, CHECKER)).ok);
  for (const id of ids) {
    const closed = (await deps.reviewDesk.caseById(id))!;
    const report = (await deps.reviewDesk.reportById(closed.about!))!;
    assert.deepEqual([closed.outcome, report.state, report.creditId], ['explained', 'explained', null]);
  }
  assert.equal(await stage.balance('suspense'), balance);
  assert.equal(await readCaseGroup(deps, 'stf_two'), undefined);
});

test('the proposal holds only for the cases and amounts that the first person saw', async () => {
  const first = await openCase('stf_more', 100_00n);
  const proposed = await propose('stf_more');
  assert.ok(proposed.ok);
  await openCase('stf_more', 7_00n);
  const refused = await decide(proposed.value.id, CHECKER);
  assert.equal(refused.ok ? '' : refused.error.code, 'changed');
  const open = (await listProposals(deps, 'test')).find(({ proposal }) => proposal.id === proposed.value.id);
  assert.match(open!.obstacle!, /have changed: there are 2 now/);
  assert.equal(await stateOf(first), null);
});

test('another count, another digest, and a file without open cases are refused', async () => {
  await openCase('stf_odd', 5_00n);
  const { cases, digest } = (await readCaseGroup(deps, 'stf_odd'))!;
  const codeOf = async (subjectId: string, detail: { cases: number; digest: string }) => {
    const result = await propose(subjectId, detail);
    return result.ok ? 'ok' : result.error.code;
  };
  assert.equal(await codeOf('stf_odd', { cases: cases + 1, digest }), 'changed');
  assert.equal(await codeOf('stf_odd', { cases, digest: digest.replace(/^./, 'x') }), 'changed');
  const none = {
    action: 'explained_all',
    subjectId: 'stf_none',
    detail: { cases: 1, digest },
    actor: MAKER,
  } as const;
  const refused = await proposeReview(deps, none);
  assert.equal(refused.ok ? '' : refused.error.code, 'not_found');
});
