// Tests tokens that were in a treasury before the service observed it. Two people book them, up to the final balance on the
// chain minus the tokens in the books. Two people can reverse the booking while its tokens are free.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { CHECKER, decideAs, MAKER } from '../../../test/support/people/reviewers.ts';
import { openRig } from '../../../test/support/settlement.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { makeReviewStore } from '../../adapters/postgres/review/review-store.ts';
import { type LedgerAccountName, ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import type { FundingDetail } from '../../domain/review/proposal.ts';
import { formatDecimal } from '../../domain/values/money.ts';
import { proposeFunding, proposeUnfunding } from './propose-funding.ts';
import type { ReviewDeps, ReviewedNetwork } from './review-deps.ts';

const rig = await openRig();
const TOKEN = 'NGNC@Polygon';
const { decimals } = rig.network('Polygon').asset;
const UNIT = 10n ** BigInt(decimals);

let chain: () => Promise<bigint | null>;
const network: ReviewedNetwork = { ...rig.network('Polygon'), finalTokens: () => chain() };
const deps: ReviewDeps = {
  ...rig.deps,
  networks: { ...rig.deps.networks, enabled: () => [network] },
  treasuryWatch: rig.treasuryWatch,
  reviewDesk: makeReviewStore(rig.database),
  banks: loadBankDirectory(),
};

const propose = (amount: string, actor = MAKER, changes: Partial<FundingDetail> = {}) =>
  proposeFunding(deps, { mode: 'test', asset: TOKEN, amount, actor, ...changes });
const decide = (proposalId: string, actor = CHECKER, approve = true, on = deps) =>
  decideAs(rig.database, on, { proposalId, actor, approve, reason: 'seen on the chain' });
const said = (result: Awaited<ReturnType<typeof decide>>) => (result.ok ? 'ok' : result.error.message);
const balance = async (...names: readonly LedgerAccountName[]) => {
  const found = await rig.deps.store.balances(names.map((name) => ledgerKey('test', TOKEN, name)));
  return [...found.values()].reduce((sum, each) => sum + each, 0n);
};
const held = () => balance('treasury', 'reserved', 'sent');
async function booked(amount: string): Promise<string> {
  const proposed = await propose(amount);
  assert.ok(proposed.ok, said(proposed));
  assert.equal(said(await decide(proposed.value.id)), 'ok');
  return proposed.value.request.subjectId;
}

test('threat 112: two people book tokens exactly, and never more than the final balance on the chain', async () => {
  const before = await held();
  chain = async () => before + 5n * UNIT + 1n;
  const most = formatDecimal(5n * UNIT + 1n, decimals);
  const over = formatDecimal(5n * UNIT + 2n, decimals);
  assert.match(said(await propose(over)), new RegExp(`^At most ${most} ${TOKEN} may be booked`));
  const proposed = await propose(most);
  assert.ok(proposed.ok, said(proposed));
  assert.equal(await held(), before, 'nothing is booked yet');
  assert.match(said(await decide(proposed.value.id, MAKER)), /another person/);
  const again = await propose(most);
  assert.ok(again.ok && again.value.id === proposed.value.id, 'pressed twice');
  const answers = await Promise.all([decide(proposed.value.id), decide(proposed.value.id, 'per_musa')]);
  assert.deepEqual(answers.map(({ ok }) => ok).sort(), [false, true]);
  assert.equal((await held()) - before, 5n * UNIT + 1n);
  assert.deepEqual(await rig.events(proposed.value.request.subjectId), ['treasury_funded']);
  assert.match(said(await propose('1')), /^At most 0\.0+ /, 'all of it is in the books now');
  await booksBalance({ foundation: rig } as never);
});

test('threat 112: the approval reads the chain again, and does not book tokens that have left or that cannot be read', async () => {
  const before = await held();
  chain = async () => before + 10n * UNIT;
  const proposed = await propose('10');
  assert.ok(proposed.ok, said(proposed));
  chain = async () => before + 10n * UNIT - 1n;
  assert.match(said(await decide(proposed.value.id)), /^At most 9\.9+ /);
  chain = () =>
    Promise.reject(new Error('only one provider answers, but two must answer before a balance is booked'));
  assert.match(said(await decide(proposed.value.id)), /cannot be read now \(only one provider answers/);
  assert.match(said(await propose('1')), /same treasury: decide or withdraw it first/);
  const described = { ...network, finalTokens: undefined } as unknown as ReviewedNetwork;
  const unread: ReviewDeps = { ...deps, networks: { ...deps.networks, enabled: () => [described] } };
  assert.match(said(await decide(proposed.value.id, CHECKER, true, unread)), /is read only at the approval/);
  assert.equal(await held(), before);
  assert.equal(said(await decide(proposed.value.id, CHECKER, false)), 'ok');
  assert.match(said(await propose('1')), /cannot be read now/, 'refused at once, too');
});

test('a deposit that was seen but is not final is booked automatically later, so it cannot be booked by hand', async () => {
  const before = await held();
  await rig.database.query({
    text: `insert into deposits (id, mode, network, tx_hash, tx_index, address, memo, asset, amount_minor, state, version,
        due_at, tries, seen_at)
      values ('dep_seen', 'test', 'Polygon', '0xseen', 0, '0x1', '', $1, $2, 'seen', 1, now(), 0, now())`,
    values: [TOKEN, `${3n * UNIT}`],
  });
  chain = async () => before + 4n * UNIT;
  assert.match(said(await propose('1.5')), /^At most 1\.0+ /);
  await rig.database.query({ text: `delete from deposits where id = 'dep_seen'` });
});

test('two simultaneous proposals for one treasury are never both approved', async () => {
  const before = await held();
  chain = async () => before + 6n * UNIT;
  const first = await propose('6');
  assert.ok(first.ok);
  assert.match(said(await propose('6', 'per_musa')), /same treasury: decide or withdraw it first/);
  const second = { ...first.value, id: 'prp_twin', proposedBy: 'per_musa' };
  await deps.reviewDesk.addProposal({
    ...second,
    request: { ...second.request, subjectId: 'fund_twin' } as typeof second.request,
  });
  const both = await Promise.all([decide(first.value.id), decide('prp_twin')]);
  assert.deepEqual(
    both.map(said).map((text) => /same treasury/.test(text)),
    [true, true],
  );
  assert.equal(said(await decide('prp_twin', CHECKER, false)), 'ok');
  assert.equal(said(await decide(first.value.id)), 'ok');
  assert.equal((await held()) - before, 6n * UNIT);
});

test('threat 112: two people can reverse a funding in parts, but never more than its remaining amount or the free amount', async () => {
  const before = await held();
  chain = async () => before + 8n * UNIT;
  const fundingId = await booked('8');
  const capital = await balance('capital');
  const undo = (amount?: string) => proposeUnfunding(deps, { fundingId, amount, actor: MAKER });
  assert.match(said(await undo('8.1')), /^Only 8\.0+ NGNC@Polygon of fund_\w+ are left/);
  assert.match(
    said(await proposeUnfunding(deps, { fundingId: 'fund_none', amount: '1', actor: MAKER })),
    /no funding fund_none/,
  );
  const part = await undo('3');
  assert.ok(part.ok, said(part));
  assert.match(said(await decide(part.value.id, MAKER)), /another person/);
  assert.equal(said(await decide(part.value.id)), 'ok');
  assert.deepEqual([(await held()) - before, (await balance('capital')) - capital], [5n * UNIT, 3n * UNIT]);
  assert.match(said(await undo('5.1')), /^Only 5\.0+ NGNC@Polygon of fund_\w+ are left/);
  // Between the proposal and its approval, sends reserve all tokens except two.
  const rest = await undo();
  assert.ok(rest.ok && 'amount' in rest.value.request.detail, said(rest));
  assert.equal(rest.value.request.detail.amount, formatDecimal(5n * UNIT, decimals));
  const tokens = (await balance('treasury', 'suspense', 'refunds_due', 'dust')) - 2n * UNIT;
  const of = { mode: 'test', subjectId: 'mov_1', asset: TOKEN, amounts: { tokens } } as const;
  const post = (event: 'tokens_reserved' | 'reservation_released') =>
    rig.deps.store.commit([{ atMs: rig.now(), entries: [entryOf(event, of)] }]);
  await post('tokens_reserved');
  assert.match(said(await decide(rest.value.id)), /^Only 2\.0+ NGNC@Polygon are free/);
  await post('reservation_released');
  assert.equal(said(await decide(rest.value.id)), 'ok');
  assert.deepEqual([await held(), (await balance('capital')) - capital], [before, 8n * UNIT]);
  assert.deepEqual(await rig.events(fundingId), [
    ...['treasury_funded', 'treasury_funding_undone', 'treasury_funding_undone'],
  ]);
  await booksBalance({ foundation: rig } as never);
});
