// Tests the ledger audit on a real database: what the database itself refuses, how manual changes are found, and that a correct
// ledger passes.
import assert from 'node:assert/strict';
import { endsOrWaits } from '../../../../test/http/races.ts';
import { NOW } from '../../../../test/http/store-fixtures.ts';
import { ASSET, ledgerTest, openLedger, rules } from '../../../../test/support/ledger-stage.ts';
import { addReviewers, decideAs } from '../../../../test/support/people/reviewers.ts';
import { checkLedger, recountLedger } from '../../../app/ledger/check-ledger.ts';
import { proposeReview } from '../../../app/review/propose-review.ts';
import type { ReviewDeps } from '../../../app/review/review-deps.ts';
import type { Networks } from '../../../ports/networks/network.ts';
import { loadBankDirectory } from '../../catalogue/bank-directory.ts';
import { makeSystemEntropy } from '../../system.ts';
import { readSnapshot } from '../catalogue.ts';
import { makeReviewStore } from '../review/review-store.ts';
import { makeTreasuryWatch } from '../treasury/treasury-watch.ts';

ledgerTest(
  'threat 94: the database refuses an entry that does not balance, and stores no part of it',
  async ({ store, audit, deps, fund }) => {
    await fund();
    const postings = [
      { account: `test/${ASSET}/treasury`, amountMinor: 5n },
      { account: `test/${ASSET}/capital`, amountMinor: -4n },
    ];
    const entry = { event: 'treasury_funded', mode: 'test', subjectId: 'txn_2', postings } as const;
    const outcomes = await store.commit([{ atMs: NOW, entries: [entry] }]);
    assert.deepEqual(outcomes, [{ kind: 'refused', rule: 'other', constraint: 'postings_balance' }]);
    const halves = [
      { account: `test/${ASSET}/treasury`, amountMinor: 5n },
      { account: 'test/NGN/capital', amountMinor: -5n },
    ];
    const crossed = await store.commit([{ atMs: NOW, entries: [{ ...entry, postings: halves }] }]);
    assert.deepEqual(crossed, [{ kind: 'refused', rule: 'other', constraint: 'postings_balance' }]);
    const mixed = [
      { account: `test/${ASSET}/treasury`, amountMinor: 5n },
      { account: `live/${ASSET}/capital`, amountMinor: -5n },
    ];
    const both = await store.commit([{ atMs: NOW, entries: [{ ...entry, postings: mixed }] }]);
    assert.deepEqual(both, [{ kind: 'refused', rule: 'other', constraint: 'postings_balance' }]);
    assert.deepEqual(await audit.explain('txn_2'), []);
    assert.deepEqual(rules(await recountLedger(deps, () => undefined)), []);
  },
);

ledgerTest(
  'threat 94: a posting to an account that does not exist is refused, even if it balances with another posting',
  async ({ database, deps, fund }) => {
    await fund();
    const entry = '(select max(id) from entries)';
    for (const lines of [`(${entry}, -1, 5)`, `(${entry}, -1, 5), (${entry}, -2, -5)`]) {
      const text = `insert into postings (entry_id, account_id, amount_minor) values ${lines}`;
      await assert.rejects(database.query({ text }), { constraint: 'postings_balance' });
    }
    assert.deepEqual(rules(await recountLedger(deps, () => undefined)), []);
  },
);

ledgerTest(
  'threat 94: a balance on the wrong side is refused, so money that does not exist cannot be sent',
  async ({ post }) => {
    await post('treasury_funded', { tokens: 10n });
    const refused = { kind: 'refused', rule: 'account_negative', constraint: 'accounts_not_negative' };
    assert.deepEqual(await post('tokens_reserved', { tokens: 11n }), refused);
    assert.deepEqual(await post('tokens_reserved', { tokens: 10n }), { kind: 'committed' });
    assert.deepEqual(await post('tokens_reserved', { tokens: 1n }), refused);
    assert.deepEqual(await post('credit_matched', { amount: 1n }), refused);
  },
);

ledgerTest('threat 94: entries and postings are append-only', async ({ database, fund }) => {
  await fund();
  for (const table of ['entries', 'postings']) {
    for (const text of [`delete from ${table}`, `truncate ${table}`]) {
      await assert.rejects(database.query({ text }), /append-only/);
    }
  }
  await assert.rejects(database.query({ text: 'update postings set amount_minor = 1' }), /append-only/);
  await assert.rejects(database.query({ text: `update entries set event = 'loss'` }), /append-only/);
});

ledgerTest(
  'a sound ledger passes a check and a recount, and each entry is counted once',
  async ({ deps, troubles, trade, checkPasses, fund, halted }) => {
    assert.deepEqual(await checkLedger(deps), { accounts: [], newEntries: 0, findings: [], unchecked: [] });
    await fund();
    await trade(500n);
    await checkPasses(8);
    await trade(700n);
    await checkPasses(7);
    const seen: number[] = [];
    const recounted = await recountLedger(deps, (postings) => seen.push(postings));
    assert.deepEqual(rules(recounted), []);
    // The count reads 7 postings at a time, so some pieces end in the middle of a ledger entry.
    assert.deepEqual([seen[0], seen.length > 3, seen.at(-1)], [7, true, 2 + 2 * (2 + 2 + 2 + 4 + 4 + 3 + 4)]);
    assert.deepEqual([await halted(), troubles], [[], []]);
  },
);

ledgerTest(
  'threat 94: a manually altered balance halts the asset, is reported once, and stays halted until the halt is lifted',
  async ({ database, store, deps, troubles, trade, behindItsBack, fund, halted }) => {
    const review: ReviewDeps = {
      ...{ ...deps, store, banks: loadBankDirectory(), entropy: makeSystemEntropy() },
      ...{ reviewDesk: makeReviewStore(database), treasuryWatch: makeTreasuryWatch(database) },
    };
    await fund();
    await trade(500n);
    await checkLedger(deps);
    await behindItsBack(
      `update accounts set balance = balance + 5 where key = 'test/${ASSET}/dust'`.replace('+', '-'),
    );
    const state = await checkLedger(deps);
    assert.deepEqual(rules(state), ['balance', 'sum']);
    assert.equal(state.findings[0]!.driftMinor, -5n);
    assert.deepEqual(await halted(), [`test ${ASSET}`]);
    assert.ok((await readSnapshot(database, 1)).halts.has(`test ${ASSET}`));
    await checkLedger(deps);
    assert.equal(troubles.length, 1);

    const resume = {
      action: 'resume',
      subjectId: `halt test ${ASSET}`,
      detail: { mode: 'test', asset: ASSET },
    } as const;
    await addReviewers(database);
    const proposed = await proposeReview(review, { ...resume, actor: 'per_ada' });
    assert.ok(proposed.ok);
    const decision = { proposalId: proposed.value.id, approve: true, reason: 'counted again' };
    const alone = await decideAs(database, review, { ...decision, actor: 'per_ada' });
    assert.equal(alone.ok ? '' : alone.error.code, 'same_person');
    assert.deepEqual(await halted(), [`test ${ASSET}`], 'one person lifts nothing');
    assert.ok((await decideAs(database, review, { ...decision, actor: 'per_obi' })).ok);
    assert.deepEqual(await halted(), []);
    const again = await proposeReview(review, { ...resume, actor: 'per_ada' });
    assert.equal(again.ok ? '' : again.error.code, 'not_possible');
    await checkLedger(deps);
    assert.deepEqual(await halted(), [`test ${ASSET}`], 'still wrong: halted again');
    const { rows } = await database.query({
      text: `select actor from audit_log where action = 'sends_halted' order by no`,
    });
    assert.deepEqual(rows, [{ actor: 'service:ledger-watch' }, { actor: 'service:ledger-watch' }]);
  },
);

const WITHOUT_TRIGGER = (text: string) => [
  'alter table postings disable trigger postings_balance',
  text,
  'alter table postings enable trigger postings_balance',
];
const treasury = `(select id from accounts where key = 'test/${ASSET}/treasury')`;

ledgerTest(
  'threat 94: the next check finds a posting that was added without the service',
  async ({ deps, behindItsBack, fund, halted }) => {
    await fund();
    await checkLedger(deps);
    const text = `with e as (insert into entries (id, mode, event, subject_id, at)
      values (-1, 'test', 'treasury_funded', 'x', now()) returning id)
    insert into postings select e.id, ${treasury}, 9 from e`;
    await behindItsBack(...WITHOUT_TRIGGER(text));
    const state = await checkLedger(deps);
    assert.deepEqual([rules(state), state.findings[0]!.driftMinor], [['balance'], -9n]);
    assert.deepEqual(await halted(), [`test ${ASSET}`]);
  },
);

ledgerTest(
  'threat 94: a recount finds a posting that was inserted among old entries or without an entry',
  async () => {
    for (const entryId of ['(select min(id) from entries)', '-5']) {
      const { deps, post, behindItsBack, checkPasses, fund, halted } = await openLedger();
      await fund();
      await post('credit_received', { amount: 1n });
      await checkPasses(2);
      const dust = `(select id from accounts where key = 'test/NGN/suspense')`;
      await behindItsBack(...WITHOUT_TRIGGER(`insert into postings select ${entryId}, ${dust}, -9`));
      assert.deepEqual(rules(await checkLedger(deps)), [], 'taken as counted');
      const state = await recountLedger(deps, () => undefined);
      assert.deepEqual(rules(state), ['balance', 'checkpoint']);
      assert.deepEqual(await halted(), ['test NGN']);
    }
  },
);

ledgerTest(
  'a check and a recount find a wrong checkpoint, and the recount corrects it',
  async ({ deps, behindItsBack, checkPasses, fund }) => {
    await fund();
    await checkPasses(1);
    await behindItsBack(
      `update ledger_checks set amount_minor = amount_minor + 4 where account_id = ${treasury}`,
    );
    assert.deepEqual(rules(await checkLedger(deps)), ['balance']);
    assert.deepEqual(rules(await recountLedger(deps, () => undefined)), ['checkpoint']);
    assert.deepEqual(rules(await checkLedger(deps)), []);
    assert.deepEqual(rules(await recountLedger(deps, () => undefined)), []);
  },
);

ledgerTest(
  'threat 94: naira that does not match the tokens halts every asset of the mode',
  async ({ deps, post, trade, fund, halted }) => {
    await fund();
    await trade(500n);
    const amount = 1n;
    await post('credit_received', { amount });
    await post('credit_matched', { amount });
    await post('tokens_reserved', { tokens: 7n });
    await post('tokens_sent', { tokens: 7n, amount });
    await post('tokens_confirmed', { tokens: 7n, amount });
    await post('deposit_applied', { tokens: 0n, amount: 2n });
    const { findings } = await checkLedger(deps);
    assert.deepEqual(
      findings.map(({ rule, driftMinor }) => [rule, driftMinor]),
      [
        ['delivered', -1n],
        ['redeemed', 2n],
      ],
    );
    assert.deepEqual(await halted(), ['test NGN', `test ${ASSET}`]);
  },
);

ledgerTest('unknown decimals of one asset do not stop the check', async ({ deps, trade, fund }) => {
  await fund();
  await trade(500n);
  const none = { ...deps, networks: { enabled: () => [], disabled: () => [] } as unknown as Networks };
  const state = await checkLedger(none);
  assert.deepEqual([rules(state), state.unchecked], [[], [`test ${ASSET}`]]);
});

ledgerTest(
  'a check does not wait for another check that moves the checkpoints, and does not move them itself',
  async ({ database, deps, trade, fund, checkPasses }) => {
    await fund();
    await checkPasses(1);
    await trade(500n);
    await database.transaction(async (client) => {
      await client.query(
        'select from ledger_checks where account_id = (select min(account_id) from ledger_checks) for update',
      );
      const checking = checkLedger(deps);
      const course = await endsOrWaits(database, checking);
      if (course === 'waits') await client.query('rollback');
      const { findings, newEntries } = await checking;
      assert.deepEqual([course, findings, newEntries], ['ends', [], 0]);
    });
    await checkPasses(7);
  },
);
