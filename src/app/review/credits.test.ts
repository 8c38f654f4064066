// Tests credits that people decide about. They match a credit by hand, split it, refund it or write it off. Every kobo stays in
// an account of the ledger.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CHECKER, decideAs, MAKER } from '../../../test/support/people/reviewers.ts';
import { openReviewStage } from '../../../test/support/review-stage.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import type { RefundTarget } from '../../domain/review/proposal.ts';
import type { Policies, Policy } from '../../domain/settlement/policy.ts';
import type { SettlementDeps } from '../engine/deps.ts';
import { matchCredits } from '../settlement/match-credits.ts';
import { proposeReview } from './propose-review.ts';

const stage = await openReviewStage();
const { deps, database } = stage;

const match = (subjectId: string, transactionId: string) =>
  stage.agree({ action: 'match', subjectId, detail: { transactionId } });
const refund = (subjectId: string, target: RefundTarget | null = null) =>
  stage.agree({ action: 'refund', subjectId, detail: { target } });
const split = (subjectId: string, partsMinor: readonly bigint[]) =>
  stage.agree({ action: 'split', subjectId, detail: { partsMinor } });
const said = (result: Awaited<ReturnType<typeof match>>) => (result.ok ? 'ok' : result.error.message);
const heldNow = async () => ({
  suspense: await stage.balance('suspense'),
  owed: await stage.balance('owed'),
  due: await stage.balance('refunds_due'),
});
async function after(reads: number, id: string): Promise<void> {
  for (let read = 0; read < reads; read++) await stage.findCredit(id);
}
async function moved(work: () => Promise<unknown>) {
  const before = await heldNow();
  await work();
  const after = await heldNow();
  return {
    suspense: after.suspense - before.suspense,
    owed: after.owed - before.owed,
    due: after.due - before.due,
  };
}

test('a sandbox payment of another business cannot pay for this buy', async () => {
  const buy = await stage.buy();
  const theirs = await stage.credit(1_500_000n, { businessId: 'biz_another' });
  assert.match(said(await match(theirs.id, buy.id)), /a business that does not own/);
  const own = await stage.credit(1_500_000n, { businessId: buy.businessId });
  assert.equal(said(await match(own.id, buy.id)), 'ok');
});

test('after another payment pays a buy in full, the buy no longer has the exception of the reversed payment', async () => {
  const held = await stage.hold(await stage.buy(), 'credit_reversed');
  const part = await stage.credit(500_000n);
  assert.equal(said(await match(part.id, held.id)), 'ok');
  assert.equal((await stage.find(held.id)).exception, 'paid_partial');
  const again = await stage.hold(await stage.buy(), 'credit_reversed');
  const whole = await stage.credit(1_500_000n);
  assert.equal(said(await match(whole.id, again.id)), 'ok');
  const paid = await stage.find(again.id);
  assert.deepEqual([paid.state, paid.exception], ['paid', null]);
});

test('a credit that is held because of its name pays the buy that it was held with, and the decision records who made it', async () => {
  const buy = await stage.buy();
  const credit = await stage.inReview(await stage.credit(1_500_000n), [buy], 'name_mismatch');
  const books = await moved(async () => assert.equal(said(await match(credit.id, buy.id)), 'ok'));
  assert.deepEqual(books, { suspense: 1_500_000n, owed: -1_500_000n, due: 0n });
  const paid = await stage.find(buy.id);
  assert.deepEqual([paid.state, paid.exception, paid.receivedMinor], ['paid', 'name_mismatch', 1_500_000n]);
  assert.equal(paid.released, false);
  assert.ok(paid.dueAtMs !== null && paid.dueAtMs <= stage.clock.now());
  const line = (await stage.store.timeline(buy.id)).at(-1)!;
  assert.equal(line.actor, CHECKER);
  assert.equal(line.evidence?.proposed_by, MAKER);
  assert.equal(line.evidence?.bank_credit, credit.id);
  const { rows } = await database.query({
    text: 'select transaction_id, actor, verdict from match_decisions where credit_id = $1 order by version desc limit 1',
    values: [credit.id],
  });
  const verdict = { kind: 'matched', transactionId: buy.id, exception: null };
  assert.deepEqual(rows, [{ transaction_id: buy.id, actor: CHECKER, verdict }]);
});

test('[threat 52] several credits pay one buy, each once; the excess of the last is refunded', async () => {
  const buy = await stage.buy();
  const parts = [await stage.credit(500_000n), await stage.credit(600_000n), await stage.credit(500_000n)];
  assert.equal(said(await match(parts[0]!.id, buy.id)), 'ok');
  const part = await stage.find(buy.id);
  assert.deepEqual(
    [part.state, part.exception, part.stateReason],
    ['on_hold', 'paid_partial', 'paid_in_part'],
  );
  assert.equal(said(await match(parts[1]!.id, buy.id)), 'ok');
  const more = await stage.find(buy.id);
  assert.deepEqual([more.state, more.exception, more.receivedMinor], ['on_hold', 'paid_partial', 1_100_000n]);
  const books = await moved(async () => assert.equal(said(await match(parts[2]!.id, buy.id)), 'ok'));
  assert.deepEqual(books, { suspense: 500_000n, owed: -400_000n, due: -100_000n });
  const paid = await stage.find(buy.id);
  assert.deepEqual([paid.state, paid.exception], ['paid', 'paid_over']);
  const [excess, ...others] = await stage.refundsOf(buy.id);
  assert.deepEqual([excess?.nairaMinor, excess?.creditId, others.length], [100_000n, parts[2]!.id, 0]);
  assert.match(said(await match(parts[0]!.id, buy.id)), /pays for/);
});

test('an expired buy can be paid late; a finished buy, a sell, or a buy of the other mode cannot be paid', async () => {
  const { id } = await stage.buy();
  const expire = `update transaction_states set state = 'expired', version = version + 1 where transaction_id = $1`;
  await database.query({ text: expire, values: [id] });
  const credit = await stage.credit(1_500_000n);
  assert.equal(said(await match(credit.id, id)), 'ok');
  const paid = await stage.find(id);
  assert.deepEqual([paid.state, paid.exception], ['paid', 'paid_late']);
  const another = await stage.credit(1_500_000n);
  assert.match(said(await match(another.id, id)), /is paid and takes no payment/);
  assert.match(said(await match(another.id, (await stage.sell()).id)), /is a sell/);
  assert.match(said(await match(another.id, 'txn_nothing')), /no transaction/);
  const live = await stage.credit(1_500_000n, { mode: 'live' });
  assert.match(said(await match(live.id, (await stage.buy()).id)), /must be of the same mode/);
});

test('[threat 17] if two people match one credit to two buys while a worker also matches it, the credit pays one buy', async () => {
  const policy = { matchWindowMs: 604_800_000, matchGraceMs: 0, lateCredit: 'complete' } as Policy;
  const policies: Policies = { live: policy, test: policy };
  const worker = {
    ...deps,
    policies,
    directory: loadBankDirectory(),
    leaseMs: 1_000,
    onTrouble: () => undefined,
  };
  for (let round = 0; round < 6; round++) {
    const amountMinor = 2_000_000n + BigInt(round);
    const buys = [
      await stage.buy({ amountMinor, accountName: 'ADA OBI' }),
      await stage.buy(),
      await stage.buy(),
    ];
    const credit = await stage.credit(amountMinor);
    const proposals = await Promise.all(
      buys.slice(1).map(({ id: transactionId }) => {
        const request = { action: 'match', subjectId: credit.id, detail: { transactionId } } as const;
        return proposeReview(deps, { ...request, actor: MAKER });
      }),
    );
    const books = await moved(async () => {
      const [paid, ...answers] = await Promise.all([
        after(round, credit.id).then(() => matchCredits(worker as unknown as SettlementDeps, [credit])),
        ...proposals.map((each) => {
          assert.ok(each.ok);
          return decideAs(stage.database, deps, {
            proposalId: each.value.id,
            actor: CHECKER,
            approve: true,
            reason: 'looked at',
          });
        }),
      ]);
      assert.equal(paid.length + answers.filter((each) => each.ok).length, 1);
    });
    assert.equal(books.suspense, amountMinor);
    const found = await Promise.all(buys.map(({ id }) => stage.find(id)));
    assert.equal(found.filter(({ receivedMinor }) => receivedMinor > 0n).length, 1);
  }
});

test('a buy whose payment is being refunded accepts no other payment, because the received amount would count twice', async () => {
  const buy = await stage.buy();
  const credit = await stage.inReview(await stage.credit(900_000n), [buy], 'paid_partial');
  assert.equal(said(await refund(credit.id)), 'ok');
  const held = await stage.find(buy.id);
  assert.deepEqual([held.state, held.exception, held.receivedMinor], ['on_hold', 'refund_decided', 0n]);
  const another = await stage.credit(600_000n);
  assert.match(said(await match(another.id, buy.id)), /sent back/);
  const release = await stage.agree({ action: 'release', subjectId: buy.id, detail: {} });
  assert.match(said(release), /being sent back/);
  const [movement] = await stage.refundsOf(buy.id);
  await stage.finish(movement!.id);
  assert.equal((await stage.find(buy.id)).state, 'refunded');
});

test('a credit is split into parts with the same total; the books do not change, and each part is a separate credit', async () => {
  const credit = await stage.credit(1_000_000n);
  for (const parts of [[1_000_000n], [400_000n, 600_001n], [1_000_000n, 0n], [1_100_000n, -100_000n], []]) {
    assert.notEqual(said(await split(credit.id, parts)), 'ok');
  }
  assert.notEqual(said(await split(credit.id, Array(21).fill(1n))), 'ok');
  const books = await moved(async () =>
    assert.equal(said(await split(credit.id, [400_000n, 600_000n])), 'ok'),
  );
  assert.deepEqual(books, { suspense: 0n, owed: 0n, due: 0n });
  assert.equal((await stage.findCredit(credit.id)).state, 'split');
  const parts = await Promise.all(
    [1, 2].map((n) => stage.store.findCredit('test', 'stage', `${credit.sourceId}#${n}`)),
  );
  for (const [index, part] of parts.entries()) {
    assert.equal(part!.amountMinor, [400_000n, 600_000n][index]);
    assert.deepEqual(
      [part!.parentId, part!.state, part!.payerName],
      [credit.id, 'unmatched', credit.payerName],
    );
  }
  assert.match(said(await split(credit.id, [400_000n, 600_000n])), /is split/);
  assert.equal(said(await split(parts[0]!.id, [150_000n, 250_000n])), 'ok');
  assert.equal(said(await match(parts[1]!.id, (await stage.buy({ amountMinor: 600_000n })).id)), 'ok');
});

test('a credit is refunded to the payer that the bank named, or to the account that two people named', async () => {
  const known = await stage.credit(300_000n);
  const books = await moved(async () => assert.equal(said(await refund(known.id)), 'ok'));
  assert.deepEqual(books, { suspense: 300_000n, owed: 0n, due: -300_000n });
  const [toPayer] = await stage.store.movementsOfCredit(known.id);
  const payer = { bankCode: 'guaranty-trust-bank', accountNumber: '0123456785', accountName: 'ADA OBI' };
  assert.deepEqual(toPayer?.destination, payer);
  assert.equal((await stage.findCredit(known.id)).state, 'refunded');
  assert.match(said(await refund(known.id)), /is refunded/);

  const masked = await stage.credit(300_000n, { payerAccount: '******0011' });
  const target = { bankCode: 'GTBank', accountNumber: '0123456785', accountName: 'Ada Obi' };
  for (const [wrong, message] of [
    [{ ...target, bankCode: 'no such bank' }, /There is no bank/],
    [{ ...target, accountNumber: '123' }, /10 digits/],
    [{ ...target, accountName: ' ' }, /name/],
    [{ ...target, accountName: null }, /name/],
    [{ address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, /bank account/],
  ] as const) {
    assert.match(said(await refund(masked.id, wrong)), message);
  }
  assert.equal(said(await refund(masked.id, target)), 'ok');
  const [named] = await stage.store.movementsOfCredit(masked.id);
  assert.deepEqual(named?.destination, { ...target, bankCode: 'guaranty-trust-bank' });
});

test('a credit that is written off stays stored, is posted and is finished', async () => {
  const credit = await stage.credit(70_000n);
  const before = await stage.balance('written_off');
  const request = { action: 'write_off', subjectId: credit.id, detail: {} } as const;
  const books = await moved(async () => assert.equal(said(await stage.agree(request)), 'ok'));
  assert.deepEqual(books, { suspense: 70_000n, owed: 0n, due: 0n });
  assert.equal((await stage.balance('written_off')) - before, -70_000n);
  assert.match(said(await refund(credit.id)), /written_off/);
  const release = await stage.agree({ ...request, action: 'release' });
  assert.match(said(release), /Only a transaction can be released/);
});
