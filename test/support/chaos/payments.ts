// Compares the real outgoing payments in the outside world's own books with the service's books. No payee is paid twice, no
// payment is made without an order, and every payment that the service reports as done was really made.
import assert from 'node:assert/strict';
import { bankReference } from '../../../src/domain/records/movement.ts';
import { koboToToken } from '../../../src/domain/values/money.ts';
import type { Books, MovementRow, TransactionRow } from './books.ts';

const PAID_ON_NETWORK = ['lands', 'reorganised'];

interface Out {
  readonly orderId: string;
  readonly transactionId: string | null;
  readonly amountMinor: bigint;
  readonly to: string;
}

export function assertPaidOnce(books: Books, decimals: ReadonlyMap<string, number>): void {
  const { transactions, movements } = books;
  const byNetwork = books.transfers
    .filter(({ fate }) => PAID_ON_NETWORK.includes(fate))
    .map(({ order_id, about, amount_minor, address }) => out(order_id, about, amount_minor, address));
  const byBank = books.payouts
    .filter(({ fate }) => fate !== 'fails')
    .map(({ reference, about, amount_minor, account_number }) =>
      out(reference, about, amount_minor, account_number),
    );
  assertExplained(
    'network',
    byNetwork,
    movements.filter(({ network }) => network !== null),
  );
  assertExplained(
    'bank',
    byBank,
    movements.filter(({ network }) => network === null),
  );
  assertLandedOnce(books);

  const paid = Map.groupBy([...byNetwork, ...byBank], ({ transactionId }) => transactionId);
  const byId = new Map(movements.map((movement) => [movement.id, movement]));
  const movementOf = ({ orderId }: Out) => byId.get(orderId.replace('-', '_'));
  for (const transaction of transactions) {
    const own = paid.get(transaction.id) ?? [];
    const orders = own.filter((each) => movementOf(each)?.kind !== 'refund');
    assertOrderPaid(transaction, orders, decimals);
    assertRefundsPaid(
      transaction,
      own.filter((each) => !orders.includes(each)).map((each) => movementOf(each)!),
    );
  }
}

function out(orderId: string, transactionId: string | null, amountMinor: bigint, to: string): Out {
  return { orderId, transactionId, amountMinor, to };
}

/** Whether the movement was paid, even if the bank returned the money later. */
const wasPaid = ({ state }: MovementRow) => state === 'done' || state === 'returned';

/** Every outside payment must belong to one finished movement, and every finished movement to one outside payment. */
function assertExplained(where: string, paid: readonly Out[], movements: readonly MovementRow[]): void {
  const done = movements.filter(wasPaid).map((movement) => {
    const { id, network, transaction_id, amount_minor, destination } = movement;
    const to = network === null ? destination!.accountNumber! : destination!.address!;
    return out(network === null ? bankReference(id) : id, transaction_id, amount_minor, to);
  });
  const sorted = (each: readonly Out[]) => each.toSorted((a, b) => (a.orderId < b.orderId ? -1 : 1));
  assert.deepEqual(sorted(paid), sorted(done), `what the ${where} paid is what is done, each once`);
}

/** Exactly one attempt of each network movement must have landed, and the network must report this attempt as paid. */
function assertLandedOnce({ movements, attempts, transfers, transactions }: Books): void {
  const attemptsOf = Map.groupBy(attempts, ({ movement_id }) => movement_id);
  const paidHash = new Map(
    transfers
      .filter(({ fate }) => PAID_ON_NETWORK.includes(fate))
      .map(({ order_id, hash }) => [order_id, hash]),
  );
  const shownHash = new Map(transactions.map(({ id, tx_hash }) => [id, tx_hash]));
  for (const movement of movements) {
    const { id, network, kind, transaction_id } = movement;
    const landed = (attemptsOf.get(id) ?? []).filter((attempt) => attempt.state === 'landed');
    assert.equal(landed.length, wasPaid(movement) ? 1 : 0, `attempts of ${id} that landed`);
    if (!wasPaid(movement) || network === null) continue;
    assert.equal(landed[0]!.reference, paidHash.get(id), `the payment of ${id}`);
    if (kind === 'send')
      assert.equal(shownHash.get(transaction_id!), paidHash.get(id), `tx_hash of ${transaction_id}`);
  }
}

/**
 * A completed buy or sell must be paid exactly once, with exactly its net amount. The same holds for a sell whose payout was
 * returned. All other transactions must not be paid.
 */
function assertOrderPaid(
  transaction: TransactionRow,
  orders: readonly Out[],
  decimals: ReadonlyMap<string, number>,
): void {
  const { id, type, state, exception, network, amount_minor, fee_minor } = transaction;
  const { wallet_address, account_number } = transaction;
  const netMinor = amount_minor - fee_minor;
  const wanted =
    type === 'buy'
      ? { amountMinor: koboToToken(netMinor, decimals.get(network)!)!, to: wallet_address }
      : { amountMinor: netMinor, to: account_number };
  assert.deepEqual(
    orders.map(({ amountMinor, to }) => ({ amountMinor, to })),
    state === 'completed' || exception === 'payout_returned' ? [wanted] : [],
    `${id}, a ${type} that is ${state}, was paid`,
  );
}

function assertRefundsPaid({ id, refunded_minor }: TransactionRow, refunds: readonly MovementRow[]): void {
  assert.equal(new Set(refunds).size, refunds.length, `refunds of ${id} are paid once`);
  const nairaMinor = refunds.reduce((sum, each) => sum + each.naira_minor, 0n);
  assert.equal(nairaMinor, refunded_minor, `refunds of ${id}`);
}
