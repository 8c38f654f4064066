// Tests how two people book the naira that they moved at a bank. They book a move only once, identify it by the line of the
// statement, and never move naira that are owed to customers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { booksBalance } from '../../../test/e2e/settled.ts';
import { CHECKER, decideAs, MAKER } from '../../../test/support/people/reviewers.ts';
import { openRig } from '../../../test/support/settlement.ts';
import { loadBankDirectory } from '../../adapters/catalogue/bank-directory.ts';
import { makeReviewStore } from '../../adapters/postgres/review/review-store.ts';
import { type LedgerAccountName, ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { entryOf } from '../../domain/ledger/ledger.ts';
import type { Rail } from '../../ports/rails/rail.ts';
import { openPayoutAccounts } from '../settlement/payout-accounts.ts';
import { type NairaBookingRequest, proposeNairaBooking } from './propose-naira-booking.ts';
import { proposeReview } from './propose-review.ts';
import type { ReviewDeps } from './review-deps.ts';

const rig = await openRig();
const deps: ReviewDeps = {
  ...rig.deps,
  treasuryWatch: rig.treasuryWatch,
  reviewDesk: makeReviewStore(rig.database),
  banks: loadBankDirectory(),
};
const GTB = { bankCode: deps.banks.resolve('GTBank')!.code, number: '0123456789' };
const PAYOUT = `${GTB.bankCode}:${GTB.number}`;
const WEMA = deps.banks.resolve('Wema Bank')!.code;
const VENDOR = `${WEMA}:9900000011`;
const rail = { ...rig.rail, account: GTB } as Rail;
const banks = { enabled: () => [rail, rig.rail], find: () => rail };
await openPayoutAccounts({ ...rig.deps, banks });

const GIVEN: NairaBookingRequest = {
  ...{ mode: 'test', kind: 'put_in', charge: null, account: PAYOUT, to: null, nairaMinor: 5_000_000n },
  ...{ day: '2026-01-01', reference: 'NIP 1', actor: MAKER },
};
const propose = (changes: Partial<NairaBookingRequest> = {}) =>
  proposeNairaBooking(deps, { ...GIVEN, ...changes });
const decide = (proposalId: string, on: ReviewDeps = deps, actor = CHECKER) =>
  decideAs(rig.database, on, { proposalId, actor, approve: true, reason: 'seen on the statement' });
const said = (result: Awaited<ReturnType<typeof decide>>) => (result.ok ? 'ok' : result.error.message);
const balance = async (name: LedgerAccountName, detail: string | null = null) => {
  const key = ledgerKey('test', 'NGN', name, detail);
  return new Map(await rig.deps.store.balances([key])).get(key) ?? 0n;
};
async function booked(changes: Partial<NairaBookingRequest> = {}): Promise<string> {
  const proposed = await propose(changes);
  assert.ok(proposed.ok, said(proposed));
  assert.equal(said(await decide(proposed.value.id)), 'ok');
  return proposed.value.request.subjectId;
}
async function credited(amount: bigint, account = VENDOR): Promise<void> {
  const facts = { mode: 'test', subjectId: 'crd_1', bankAccount: account, amounts: { amount } } as const;
  const entry = entryOf('credit_received', facts);
  assert.equal((await rig.deps.store.commit([{ atMs: rig.now(), entries: [entry] }]))[0]!.kind, 'committed');
}

test('threats 83, 112: two people book added naira once, with the line of the statement', async () => {
  const capital = await balance('capital');
  const proposed = await propose({ account: 'GTBank:0123456789', reference: ' NIP 1 ' });
  assert.ok(proposed.ok, said(proposed));
  const { id, request, amountMinor } = proposed.value;
  assert.equal(amountMinor, 5_000_000n);
  assert.equal(await balance('bank_out', PAYOUT), 0n, 'nothing is booked yet');
  assert.match(said(await decide(id, deps, MAKER)), /another person/);
  const answers = await Promise.all([decide(id), decide(id), decide(id, deps, 'per_musa')]);
  assert.deepEqual(answers.map(({ ok }) => ok).sort(), [false, false, true]);
  assert.equal(await balance('bank_out', PAYOUT), 5_000_000n);
  assert.equal((await balance('capital')) - capital, -5_000_000n);
  assert.deepEqual(await rig.events(request.subjectId), ['float_funded']);
  const [row] = await rig.rows('select kind, account, amount_minor, day::text, reference from naira_moves');
  assert.deepEqual(row, {
    ...{ kind: 'put_in', account: `bank_out/${PAYOUT}`, amount_minor: '5000000', day: '2026-01-01' },
    reference: 'NIP 1',
  });
  await booksBalance({ foundation: rig } as never);
});

test('threat 27: one statement line is booked once, even if it is proposed again, by two people, or in an old proposal', async () => {
  assert.match(said(await propose()), /NIP 1 of account .* is booked already/);
  assert.match(
    said(await propose({ nairaMinor: 1n })),
    /is booked already/,
    'another amount changes nothing',
  );
  const [first, same] = [await propose({ reference: 'NIP 2' }), await propose({ reference: 'NIP 2' })];
  assert.ok(first.ok && same.ok && first.value.id === same.value.id, 'pressed twice');
  assert.match(said(await propose({ reference: 'NIP 2', actor: 'per_musa' })), /proposed the same/);
  const other = await propose({ reference: 'NIP 2', nairaMinor: 7n, actor: 'per_musa' });
  assert.ok(other.ok);
  const both = await Promise.all([decide(first.value.id), decide(other.value.id)]);
  assert.deepEqual(both.map(({ ok }) => ok).sort(), [false, true]);
  assert.match(both.map(said).join(), /NIP 2 of account .* is booked already/);
  const again = { action: 'naira', subjectId: first.value.request.subjectId, actor: MAKER } as const;
  if (first.value.request.action !== 'naira') assert.fail();
  const repeated = await proposeReview(deps, { ...again, detail: first.value.request.detail });
  assert.match(said(repeated), /is booked already/);
});

test('a sweep from a vendor’s account is not new capital, and only the available amount can be moved', async () => {
  await credited(3_000_000n);
  const before = { capital: await balance('capital'), free: await balance('bank_out', PAYOUT) };
  const sweep = { kind: 'moved', account: '9900000011', to: '0123456789', reference: 'SWEEP 1' } as const;
  assert.match(said(await propose({ ...sweep, nairaMinor: 3_000_001n })), /The books show only ₦30,000.00/);
  await booked({ ...sweep, nairaMinor: 3_000_000n });
  assert.deepEqual(
    [await balance('bank_in', VENDOR), await balance('bank_transit'), await balance('capital')],
    [0n, 0n, before.capital],
  );
  assert.equal((await balance('bank_out', PAYOUT)) - before.free, 3_000_000n);
  await booksBalance({ foundation: rig } as never);
});

test('threat 94: an approval uses the debts at that time, so money that arrived in the meantime stays', async () => {
  const all = await deps.reviewDesk.bankBooks('test');
  const ownMinor = await ownNaira();
  const unnamed = all.find(({ detail, name }) => detail === null && name === 'bank_out')!;
  assert.ok(unnamed.freeMinor > 0n, 'the simulated bank has naira');
  const takenMinor = (await balance('bank_out', PAYOUT)) - 1n;
  const taking = { kind: 'taken_out', reference: 'OUT 1', nairaMinor: takenMinor } as const;
  const proposed = await propose(taking);
  assert.ok(proposed.ok, said(proposed));
  // Before the approval, tokens of sellers arrive. The naira for them are now promised, and that is more than the operator has
  // left.
  const promised = ownMinor - takenMinor + 1n;
  const applied = entryOf('deposit_applied', {
    ...{ mode: 'test', subjectId: 'txn_1', asset: 'NGNC@Polygon' },
    amounts: { amount: promised, tokens: 0n },
  });
  let commits = 0;
  const paused: ReviewDeps = {
    ...deps,
    store: {
      ...deps.store,
      commit: async (changes, feed) => {
        if (commits++ === 0) await deps.store.commit([{ atMs: deps.clock.now(), entries: [applied] }]);
        return deps.store.commit(changes, feed);
      },
    },
  };
  const before = await balance('bank_out', PAYOUT);
  assert.match(said(await decide(proposed.value.id, paused)), /At most ₦.* may be taken out/);
  assert.deepEqual([commits, await balance('bank_out', PAYOUT)], [1, before]);
  assert.equal(
    (await deps.reviewDesk.findProposal(proposed.value.id))!.decision,
    null,
    'nothing was decided',
  );
  await booked({ ...taking, reference: 'OUT 2', nairaMinor: takenMinor - 1n });
  assert.equal(await balance('withdrawn'), takenMinor - 1n);
});

async function ownNaira(): Promise<bigint> {
  const { rows } = await rig.database.query<{ sum: string }>({
    text: `select sum(balance)::text from accounts where mode = 'test' and asset = 'NGN' and name in ('bank_in', 'bank_out',
      'bank_reserved', 'bank_transit', 'suspense', 'owed', 'in_flight', 'payouts_due', 'refunds_due', 'recoveries')`,
  });
  return BigInt(rows[0]!.sum);
}

test('naira that a payout has reserved in the meantime are not moved: the database refuses it, and the error shows the rest', async () => {
  await booked({ reference: 'NIP 3', nairaMinor: 1_000_000n });
  const freeMinor = await balance('bank_out', PAYOUT);
  const proposed = await propose({
    kind: 'moved',
    to: 'simulated',
    reference: 'OWN 1',
    nairaMinor: freeMinor,
  });
  assert.ok(proposed.ok, said(proposed));
  const reserved = entryOf('payout_reserved', {
    ...{ mode: 'test', subjectId: 'mov_1', payoutAccount: PAYOUT, amounts: { amount: 1n } },
  });
  let commits = 0;
  const paused: ReviewDeps = {
    ...deps,
    store: {
      ...deps.store,
      commit: async (changes, feed) => {
        if (commits++ === 0) await deps.store.commit([{ atMs: deps.clock.now(), entries: [reserved] }]);
        return deps.store.commit(changes, feed);
      },
    },
  };
  assert.match(said(await decide(proposed.value.id, paused)), /that are not reserved/);
  assert.deepEqual(
    [await balance('bank_out', PAYOUT), await balance('bank_reserved', PAYOUT)],
    [freeMinor - 1n, 1n],
  );
});

test('books a charge that is missing in the books, the levies of one transfer, and a returned charge', async () => {
  const before = await balance('charges');
  const line = { reference: 'NIP 9', nairaMinor: 5_000n } as const;
  for (const charge of ['transfer_fee', 'vat', 'stamp_duty'] as const)
    await booked({ ...line, kind: 'charge_seen', charge });
  assert.match(said(await propose({ ...line, kind: 'charge_seen', charge: 'vat' })), /is booked already/);
  await booked({ ...line, kind: 'charge_returned', charge: 'vat' });
  assert.equal((await balance('charges')) - before, 10_000n);
});

test('if one bank account has balances under two names, a move merges them', async () => {
  await credited(700n, 'unknown:9900000011');
  const before = await balance('bank_in', VENDOR);
  const joined = { kind: 'moved', account: 'unknown:9900000011', to: VENDOR, nairaMinor: 700n } as const;
  assert.match(
    said(await propose({ ...joined, account: '9900000011' })),
    /Several accounts have this number/,
  );
  await booked({ ...joined, reference: 'correction' });
  assert.deepEqual(
    [await balance('bank_in', 'unknown:9900000011'), (await balance('bank_in', VENDOR)) - before],
    [0n, 700n],
  );
});

test('an account that is not in the books is refused, with a list of the known accounts', async () => {
  const result = await propose({ account: '058:0000000000' });
  assert.match(said(result), new RegExp(`no account 058:0000000000. They have: .*simulated.*${PAYOUT}`));
});
