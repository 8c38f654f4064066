// Tests how many tokens may leave a treasury, and what the commit of a withdrawal requires of its accounts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LedgerAccountName, ledgerKey } from '../ledger/chart-of-accounts.ts';
import { entryOf, LEDGER_EVENTS, type LedgerEvent } from '../ledger/ledger.ts';
import { mergeChanges } from '../records/change.ts';
import { attachDecision, type Proposal } from './proposal.ts';
import { withdrawalAccounts, withdrawTokens } from './withdrawal.ts';

const ASSET = 'NGNC@Polygon';
const NETWORK = { name: 'Polygon', asset: { code: 'NGNC', decimals: 3 } };
const BY = { actor: 'per_obi', atMs: 1, stepUp: { id: 'sup_1', atMs: 1 } };
const ACCOUNTS = withdrawalAccounts('test', ASSET);

/** Debits are positive, as in the books. */
function ask(nairaMinor: bigint, books: Partial<Record<LedgerAccountName, bigint>>) {
  const balances = new Map(
    Object.entries(books).map(([name, balance]) => [
      ledgerKey('test', ASSET, name as LedgerAccountName),
      balance,
    ]),
  );
  const detail = { mode: 'test', network: 'Polygon', address: '0x1', nairaMinor } as const;
  return withdrawTokens(detail, { id: 'mov_1', network: NETWORK, target: { address: '0x1' }, balances }, BY);
}

test('a withdrawal cannot take tokens in suspense, tokens due for refunds or dust, and the refusal says how much is free', () => {
  const books = { treasury: 1_000n, suspense: -300n, refunds_due: -200n, dust: -7n, capital: -493n };
  assert.equal(ask(49n, books).ok, true);
  const more = ask(50n, books);
  assert.match(more.ok ? '' : more.error.message, /^At most ₦0\.49 may leave Polygon/);
  const nothing = ask(1n, { treasury: 10n, suspense: -300n });
  assert.match(nothing.ok ? '' : nothing.error.message, /^At most ₦0\.00 /);
  assert.equal(ask(1n, {}).ok, false);
});

test('the commit of a withdrawal requires that the sum of these accounts is not negative, and merged changes keep this condition', () => {
  const plan = ask(100n, { treasury: 1_000n });
  assert.ok(plan.ok);
  const { change } = plan.value;
  assert.deepEqual(change.conditions, [{ notNegative: ACCOUNTS }]);
  const proposal = { id: 'prp_1', proposedBy: 'per_ada' } as Proposal;
  assert.deepEqual(attachDecision(change, proposal, BY, 'redeem').conditions, change.conditions);
  assert.deepEqual(mergeChanges([change, { atMs: 1 }, change]).conditions, [
    ...change.conditions!,
    ...change.conditions!,
  ]);
});

test('only these events can reduce the free amount after a withdrawal; a new event needs a decision', () => {
  const lowering = (Object.keys(LEDGER_EVENTS) as LedgerEvent[]).filter((event) => {
    const amounts = { amount: 1n, tokens: 100n, dust: 7n, fee: 1n };
    const { postings } = entryOf(event, {
      ...{ mode: 'test', subjectId: 'x', asset: ASSET, bankAccount: 'p:1', payoutAccount: null, amounts },
    });
    const moved = postings.filter(({ account }) => ACCOUNTS.includes(account));
    return moved.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) < 0n;
  });
  assert.deepEqual(lowering.sort(), [
    // Lost tokens may belong to others or to the operator. Debts to others remain.
    'outflow_lost',
    // The tokens belonged to the operator, but the naira could not be paid. The refund of the tokens waits until the treasury
    // has enough tokens.
    'payout_undone',
    // A refund uses the tokens that were kept for it. Its debt counts until the refund has arrived.
    'token_refund_reserved',
    // Sends have priority over withdrawals, because customers have paid for the sends.
    'tokens_reserved',
    // The event `treasury_funding_undone` has the same condition as a withdrawal.
    'treasury_funding_undone',
    'withdrawal_reserved',
  ]);
});
