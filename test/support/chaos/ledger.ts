// Checks the ledger and the timelines after a chaos run. They balance, no money is left on an account for money in progress,
// and they equal the balances of the outside world.
import assert from 'node:assert/strict';
import { NETWORK_ROWS } from '../../../src/adapters/networks/registry.ts';
import { canMove } from '../../../src/domain/records/states.ts';
import { tokenAsset } from '../../../src/domain/values/money.ts';
import type { AccountRow, Books } from './books.ts';

export interface Token {
  readonly network: string;
  readonly code: string;
  readonly decimals: number;
  /** The operator's balance according to the network itself. */
  readonly treasuryMinor: bigint;
}

/** The opening balance of test mode, in kobo. */
const OPENING_MINOR = 10n ** 14n;
/** Accounts for money in progress, which must be empty at the end. */
const EMPTY_WHEN_QUIET = ['bank_reserved', 'owed', 'in_flight', 'reserved', 'sent'];

export function assertLedgerSound({ accounts, halts }: Books): void {
  const off = accounts.filter(({ balance, posted }) => balance !== posted);
  assert.deepEqual(off, [], 'every balance is the sum of its postings');
  const wrong = accounts.filter(({ side, balance }) => (side === 'debit' ? balance < 0n : balance > 0n));
  assert.deepEqual(wrong, [], 'no account is on its wrong side');
  for (const [asset, own] of Map.groupBy(accounts, ({ mode, asset }) => `${mode} ${asset}`)) {
    assert.equal(sum(own), 0n, `${asset} sums to zero`);
  }
  assert.deepEqual(halts, [], 'nothing was halted');
  const left = accounts.filter(({ name, balance }) => EMPTY_WHEN_QUIET.includes(name) && balance !== 0n);
  assert.deepEqual(left, [], 'nothing is in progress');
}

export function assertLedgerIsTheWorld(books: Books, tokens: readonly Token[]): void {
  const { accounts, transactions, payouts, lines } = books;
  const naira = (name: string) => sum(accounts.filter((each) => each.asset === 'NGN' && each.name === name));
  let outKobo = 0n;
  let receivedKobo = 0n;
  for (const { network, code, decimals, treasuryMinor } of tokens) {
    const asset = tokenAsset(code, network);
    const token = (name: string) =>
      sum(accounts.filter((each) => each.asset === asset && each.name === name));
    assert.equal(token('treasury'), treasuryMinor, `the treasury on ${network}`);
    const perKobo = 10n ** BigInt(decimals - 2);
    outKobo += token('out') / perKobo;
    receivedKobo -= token('received') / perKobo;
  }
  assert.equal(-naira('delivered'), outKobo, 'naira delivered are tokens that arrived');
  assert.equal(naira('redeemed'), receivedKobo, 'naira redeemed are tokens taken in');
  const done = transactions.filter(({ state }) => state === 'completed');
  const netOf = (type: 'buy' | 'sell') =>
    total(done.filter((each) => each.type === type).map((each) => each.amount_minor - each.fee_minor));
  assert.equal(outKobo, netOf('buy'), 'tokens that arrived are those of completed buys');
  // The service keeps the fee of a returned payout until people decide about the payout.
  const earned = transactions.filter(
    ({ state, exception }) => state === 'completed' || exception === 'payout_returned',
  );
  assert.equal(-naira('fees'), total(earned.map(({ fee_minor }) => fee_minor)), 'fees');

  const paid = payouts.filter(({ fate }) => fate !== 'fails');
  const amountOf = (kind: string) =>
    total(lines.filter((each) => each.kind === kind).map((each) => each.amount_minor));
  const charges = total(paid.map(({ charge_minor }) => charge_minor));
  assert.equal(naira('charges'), charges, 'what the bank charged');
  const left = OPENING_MINOR - total(paid.map(({ amount_minor }) => amount_minor)) - charges;
  assert.equal(naira('bank_out'), left + amountOf('payout_returned'), 'naira to pay out from');
  assert.equal(naira('bank_in'), amountOf('credit') - amountOf('credit_reversed'), 'naira that came in');
  assert.equal(
    naira('losses'),
    amountOf('credit_reversed'),
    'what the bank took back after the tokens were sent',
  );
  assert.equal(-naira('recoveries'), amountOf('payout_returned'), 'payouts that came back');
  assertCases(books);
}

/** Held money must still be on a separate account, exact to the kobo. */
export function assertHeldIsAccounted({ accounts, transactions, credits, deposits, movements }: Books): void {
  const balance = (asset: string, name: string) =>
    -sum(accounts.filter((each) => each.asset === asset && each.name === name));
  const inReview = credits.filter(({ state }) => state === 'review');
  assert.equal(
    balance('NGN', 'suspense'),
    total(inReview.map((each) => each.amount_minor)),
    'credits in review',
  );
  const heldSells = transactions.filter(
    (each) => each.state === 'on_hold' && each.exception === 'name_mismatch',
  );
  const promised = heldSells.filter(({ type }) => type === 'sell').map(({ amount_minor }) => amount_minor);
  assert.equal(balance('NGN', 'payouts_due'), total(promised), 'payouts on hold');
  const waiting = movements.filter(({ kind, state }) => kind === 'refund' && state === 'failed');
  assert.equal(
    balance('NGN', 'refunds_due'),
    total(waiting.map((each) => each.naira_minor)),
    'refunds that failed',
  );
  for (const [asset, own] of Map.groupBy(deposits, ({ asset }) => asset)) {
    const { decimals } = NETWORK_ROWS.find(({ name }) => asset.endsWith(`@${name}`))!;
    const unit = 10n ** BigInt(decimals - 2);
    // Amounts below one kobo are dust and belong to another account.
    const kept = own
      .filter(({ state }) => state === 'suspense')
      .map(({ amount_minor }) => amount_minor - (amount_minor % unit));
    assert.equal(balance(asset, 'suspense'), total(kept), `deposits in suspense, ${asset}`);
    assert.equal(balance(asset, 'refunds_due'), 0n, `tokens to be given back, ${asset}`);
  }
}

/** Each reversal or return by the bank must have exactly one case. */
function assertCases({ cases, lines, notices }: Books): void {
  const reported = lines.filter(({ kind }) => kind !== 'credit').map(({ kind, about }) => `${kind} ${about}`);
  assert.deepEqual(notices.map(({ kind, about }) => `${kind} ${about}`).sort(), reported.sort(), 'notices');
  assert.equal(cases.length, reported.length, 'cases');
  assert.equal(new Set(cases.map(({ transaction_id }) => transaction_id)).size, cases.length, 'one each');
}

/** Each timeline must be a chain of allowed transitions, from the first state to the current one. */
export function assertTimelinesAreChains({ transactions, timeline }: Books): void {
  const linesOf = Map.groupBy(timeline, ({ transaction_id }) => transaction_id);
  for (const { id, type, state } of transactions) {
    let at: string = type === 'buy' ? 'awaiting_payment' : 'awaiting_deposit';
    for (const { version, from_state, to_state } of linesOf.get(id) ?? []) {
      assert.equal(from_state, at, `${id} at version ${version}`);
      const moves = from_state === to_state || canMove(type, from_state, to_state);
      assert.ok(moves, `${id}: ${from_state} to ${to_state}`);
      at = to_state;
    }
    assert.equal(state, at, `the last line of ${id}`);
  }
  const known = new Set(transactions.map(({ id }) => id));
  assert.ok(
    timeline.every(({ transaction_id }) => known.has(transaction_id)),
    'no line without its transaction',
  );
}

function total(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

function sum(accounts: readonly AccountRow[]): bigint {
  return total(accounts.map(({ balance }) => balance));
}
