// Tests bank notices about reversed credits. Before the tokens are sent, only the money is taken back. Afterwards there is a
// loss, a case and a frozen business. A credit is reversed only once, or part by part if it was split.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { attempt, movement, notice } from '../../../test/http/settlement-fixtures.ts';
import { BUSINESS } from '../../../test/http/store-fixtures.ts';
import { PAYER, POLYGON_WALLET } from '../../../test/support/settlement.ts';
import { openReversalStage } from '../../../test/support/stages/credits.ts';
import type { BankCredit } from '../../domain/records/credit.ts';
import { bankReference } from '../../domain/records/movement.ts';
import type { NoticeLine } from '../../ports/rails/rail-statement.ts';
import { newId } from '../engine/deps.ts';
import { makeLeaseRequest } from '../engine/leases.ts';
import { handleNotices } from './handle-notices.ts';
import { readBankFeed } from './record-lines.ts';

const { casesOf, claimed, creditNamed, newPayer, rig } = await openReversalStage();

async function reported(line: NoticeLine): Promise<void> {
  const saying = rig.another({
    bank: { statement: async (position) => ({ lines: [line], position: position ?? '0' }) },
  });
  // The other process holds the feed until its lease ends.
  rig.pass(20_000);
  await readBankFeed(saying.deps, 'test', saying.rail);
  rig.pass(20_000);
  await rig.passing(1_000);
}

test('if a credit is reversed before any claim, the money leaves suspense, and a later claim is not paid with it', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const id = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.sandbox.reverse(id);
  await rig.passing(3_000);
  const credit = await creditNamed(id);
  assert.equal(credit.state, 'reversed');
  assert.deepEqual(await rig.books(credit.id), {});
  const buy = await rig.buy({ accountNumber, amountMinor });
  await rig.passing(2_000);
  assert.equal((await rig.find(buy.id)).state, 'awaiting_payment');
});

async function split(whole: BankCredit): Promise<readonly BankCredit[]> {
  const parts = [1n, whole.amountMinor - 1n].map((part, index) => ({
    ...whole,
    id: newId(rig.deps, 'crd'),
    sourceId: `${whole.sourceId}#${index + 1}`,
    parentId: whole.id,
    amountMinor: part,
    state: 'unmatched' as const,
    version: 1,
  }));
  const move = {
    version: whole.version,
    after: { ...whole, state: 'split' as const, version: whole.version + 1 },
  };
  const [outcome] = await rig.deps.store.commit([{ atMs: rig.now(), credits: [move], newCredits: parts }]);
  assert.deepEqual(outcome, { kind: 'committed' });
  return parts;
}

async function splitCredit() {
  const { accountNumber, amountMinor } = newPayer();
  const id = await rig.payIn({ payerAccount: accountNumber, amountMinor });
  await rig.passing(3_000);
  const whole = await creditNamed(id);
  const parts = await split(whole);
  const ids = [whole.id, ...parts.map((part) => part.id)];
  const states = async () =>
    (
      await rig.rows(
        'select state from bank_credits where id = any ($1::text[]) order by parent_id nulls first, source_id',
        ids,
      )
    ).map(({ state }) => state);
  return { id, ids, states, parts };
}

test('a split credit is reversed part by part', async () => {
  const { id, ids, states } = await splitCredit();
  await rig.sandbox.reverse(id);
  await rig.passing(3_000);
  assert.deepEqual(await states(), ['reversed', 'reversed', 'reversed']);
  assert.deepEqual(await rig.books(...ids), {});
});

test('a part that was split again is reversed with its own parts', async () => {
  const { id, ids, states, parts } = await splitCredit();
  const inner = await split(parts[1]!);
  await rig.sandbox.reverse(id);
  await rig.passing(3_000);
  assert.deepEqual(await states(), ['reversed', 'reversed', 'reversed']);
  for (const { sourceId } of inner) assert.equal((await creditNamed(sourceId)).state, 'reversed');
  assert.deepEqual(await rig.books(...ids, ...inner.map((part) => part.id)), {});
});

test('if another process changes a part in the meantime, the part is reversed at the next check, and the whole credit only after it', async () => {
  const { id, ids, states } = await splitCredit();
  await rig.sandbox.reverse(id);
  const { deps } = rig;
  rig.pass(20_000);
  await readBankFeed(deps, 'test', rig.rail);
  const notices = await deps.store.leaseNotices(makeLeaseRequest(deps, 10));
  const store: typeof deps.store = {
    ...deps.store,
    commit: async (changes, feed) =>
      changes.some(({ credits = [] }) => credits.some(({ after }) => after.id === ids[1]))
        ? [{ kind: 'stale' }]
        : deps.store.commit(changes, feed),
  };
  await handleNotices({ ...deps, store }, notices);
  const [whole, first] = await states();
  assert.deepEqual([notices.length, whole, first], [1, 'split', 'unmatched']);
  rig.pass(20_000);
  await rig.passing(3_000);
  assert.deepEqual(await states(), ['reversed', 'reversed', 'reversed']);
  assert.deepEqual(await rig.books(...ids), {});
});

test('a reversal that is reported before its credit waits for the credit', async () => {
  const { accountNumber, amountMinor } = newPayer();
  const id = 'reported-late';
  const line = { kind: 'credit_reversed', sourceId: 'rev-1', about: id, amountMinor, raw: {} } as const;
  await reported(line);
  await rig.payIn({ id, payerAccount: accountNumber, amountMinor });
  await rig.passing(30_000, 3_000);
  assert.equal((await creditNamed(id)).state, 'reversed');
});

test('a reversal with another amount than the credit is not applied, and people review it', async () => {
  const { buy, id, amountMinor } = await claimed();
  await rig.until(buy.id, 'completed');
  const line = {
    kind: 'credit_reversed',
    sourceId: 'rev-2',
    about: id,
    amountMinor: amountMinor - 1n,
    raw: {},
  } as const;
  await reported(line);
  assert.ok(rig.troubles.some(({ message }) => message.includes('a different amount')));
  assert.equal((await creditNamed(id)).state, 'matched');
  assert.deepEqual(await rig.rows(`select state from bank_notices where source_id = 'rev-2'`), [
    { state: 'review' },
  ]);
});

test('a return of more than was paid out is not booked, and people review it', async () => {
  const sell = await rig.sell({ wallet: POLYGON_WALLET });
  await rig.depositFor(sell, sell.amountMinor);
  await rig.until(sell.id, 'completed');
  const payout = (await rig.deps.store.movementsOf([sell.id])).find(({ kind }) => kind === 'payout')!;
  const returned = (sourceId: string, amountMinor: bigint) =>
    ({ kind: 'payout_returned', sourceId, about: bankReference(payout.id), amountMinor, raw: {} }) as const;
  const before = await rig.books(sell.id);
  await reported(returned('ret-1', payout.nairaMinor + 1n));
  assert.deepEqual(await rig.rows(`select state from bank_notices where source_id = 'ret-1'`), [
    { state: 'review' },
  ]);
  assert.ok(rig.troubles.some(({ message }) => message === 'a notice contradicts the state of its payout'));
  assert.deepEqual([await rig.books(sell.id), await casesOf(sell.id)], [before, []]);
  await reported(returned('ret-2', payout.nairaMinor));
  assert.deepEqual(
    (await casesOf(sell.id)).map(({ kind, amount }) => [kind, amount]),
    [['payout_returned', `${payout.nairaMinor}`]],
  );
});

test('a notice about a return that is already booked is left for review before the next notice is handled', async () => {
  const [again, next] = [notice(), notice()];
  const committed: string[] = [];
  const { store } = rig.deps;
  const slow: typeof store = {
    ...store,
    commit: async ([change]) => {
      const { id, state } = change!.notices![0]!.after;
      if (state === 'review') for (let turn = 0; turn < 20; turn++) await setImmediate();
      committed.push(`${id === again.id ? 'again' : 'next'} ${state}`);
      if (committed.length > 1) return [{ kind: 'committed' }];
      return [{ kind: 'refused', rule: 'returned_before', constraint: 'cases_once' }];
    },
  };
  await handleNotices({ ...rig.deps, store: slow }, [again, next]);
  assert.deepEqual(committed, ['again open', 'again review', 'next open']);
  assert.ok(rig.troubles.some(({ message }) => message === 'a rail reported the outcome of a payout twice'));
});

test('a payout that the rail refused and later reported as paid is paid once, and its late notice is closed at once or after six checks', async () => {
  const landedMs = rig.now();
  const payout = movement({ kind: 'payout', network: null, state: 'done', mode: 'test' });
  const refused = { reason: 'no', fault: 'rail', since_ms: 1, confirmed_ms: null };
  const { store } = rig.deps;
  const stateAfter = async (
    receivedAtMs: number,
    tries: number,
    evidence: Readonly<Record<string, unknown>> = { refused },
    hasOpenReturn = false,
  ) => {
    const landed = { state: 'landed', evidence, updatedAtMs: landedMs } as const;
    const paid = notice({
      ...{ kind: 'payout_paid_late', about: bankReference(payout.id), receivedAtMs, tries },
      amountMinor: payout.nairaMinor,
    });
    let state: string | undefined;
    const one: typeof store = {
      ...store,
      movementById: async () => payout,
      hasOpenReturn: async () => hasOpenReturn,
      lastAttempts: async () =>
        new Map([[payout.id, attempt(payout, { ...landed, rail: paid.source, reference: paid.about })]]),
      commit: async ([change]) => {
        state = change!.notices![0]!.after.state;
        return [{ kind: 'committed' }];
      },
    };
    await handleNotices({ ...rig.deps, store: one }, [paid]);
    return state;
  };
  assert.equal(await stateAfter(landedMs, 1), 'done', 'it is about that payment');
  assert.equal(await stateAfter(landedMs + 1, 5), 'open', 'a return may be on its way');
  assert.equal(await stateAfter(landedMs + 1, 6), 'done', 'it would have been booked by now');
  assert.equal(await stateAfter(landedMs, 1, {}), 'open', 'never refused: it may be a second payment');
  assert.equal(await stateAfter(landedMs, 6, {}), 'review', 'people find out, within minutes');
  assert.equal(await stateAfter(landedMs + 1, 30, { refused }, true), 'open', 'a return is not booked yet');
  assert.equal(await stateAfter(landedMs, 30, {}, true), 'open', 'the second payment after that return');
});

test('threat 23: a reversal after the tokens were sent causes a loss, a case and an alert, and the business is frozen', async () => {
  const { buy, id, amountMinor } = await claimed();
  await rig.until(buy.id, 'completed');
  await rig.sandbox.reverse(id);
  await rig.passing(2_000);
  const { state, exception } = await rig.find(buy.id);
  assert.deepEqual([state, exception], ['completed', 'credit_reversed']);
  assert.deepEqual(await casesOf(buy.id), [
    { kind: 'credit_reversed', business_id: BUSINESS, amount: `${amountMinor}` },
  ]);
  const books = await rig.books(buy.id, (await creditNamed(id)).id);
  assert.equal(books['NGN losses'], amountMinor);
  assert.equal(books['NGN bank_in'], undefined, 'the bank has it back');
  assert.ok(rig.troubles.some(({ message }) => message === 'a credit was reversed after it was used'));
  assert.deepEqual(await rig.rows('select mode from freezes where business_id = $1', BUSINESS), [
    { mode: 'test' },
  ]);

  const next = await claimed();
  const held = await rig.until(next.buy.id, 'on_hold');
  assert.equal(held.exception, 'business_frozen');
  assert.deepEqual(await rig.deps.store.movementsOf([next.buy.id]), []);
});

test('threat 23: other businesses are not affected', async () => {
  await rig.addBusiness('biz_other');
  const { buy } = await claimed({ businessId: 'biz_other', accountName: PAYER.name });
  await rig.until(buy.id, 'completed');
});

test('threat 23: a second reversal of the same credit has no effect', async () => {
  const before = await rig.rows('select count(*) from cases');
  const { buy, id } = await claimed({ businessId: 'biz_other' });
  await rig.until(buy.id, 'completed');
  for (let i = 0; i < 2; i++) {
    await rig.sandbox.reverse(id);
    await rig.passing(2_000);
  }
  assert.equal((await casesOf(buy.id)).length, 1);
  assert.notDeepEqual(await rig.rows('select count(*) from cases'), before);
});

test('the books balance after all tests', () => booksBalance({ foundation: rig } as never));
