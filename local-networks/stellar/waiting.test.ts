// Tests what waits for a ledger: one transaction per source account, transactions that do not fit or offer too little, and
// claimable balances until they are claimed.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account, Claimant, Keypair, Memo, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { bump, hashOf, result, send, withToken } from '../../test/support/networks/stellar-ledger.ts';
import { StellarLedger } from './ledger.ts';

test('only one transaction for each source can wait, and the same transaction again is a duplicate', () => {
  const { ledger, treasury, customer, pay, asset } = withToken();
  const first = ledger.build(treasury, [pay(customer, '1')]);
  assert.equal(ledger.submit(first.toXdr()).status, 'PENDING');
  assert.equal(ledger.submit(first.toXdr()).status, 'DUPLICATE');
  const rival = ledger.build(treasury, [pay(customer, '2')]);
  assert.equal(ledger.submit(rival.toXdr()).status, 'TRY_AGAIN_LATER');
  ledger.close();
  assert.equal(ledger.balanceOf(customer.publicKey(), asset), 10_000_000n);
  assert.equal(result(ledger, rival), 'ERROR txBadSeq fee=100');
});

test('another account pays for a fee bump, and the transaction is found by both hashes', () => {
  const { ledger, treasury, customer, pay } = withToken();
  const inner = ledger.build(treasury, [pay(customer, '1')]);
  const before = ledger.balanceOf(treasury.publicKey());
  const outer = bump(ledger, customer, inner, 300);
  assert.equal(result(ledger, outer), 'txFeeBumpInnerSuccess(txSuccess)[paymentSuccess] fee=200');
  assert.equal(ledger.balanceOf(treasury.publicKey()), before);
  assert.equal(ledger.balanceOf(customer.publicKey()), 1_000_000_000n - 200n);
  assert.equal(ledger.transaction(hashOf(inner)), ledger.transaction(hashOf(outer)));
});

test('a fee bump replaces a waiting transaction only if it offers ten times the fee', () => {
  const { ledger, treasury, customer, pay } = withToken();
  const inner = ledger.build(treasury, [pay(customer, '1')]);
  assert.equal(ledger.submit(inner.toXdr()).status, 'PENDING');
  const cheap = ledger.submit(bump(ledger, customer, inner, 999).toXdr());
  assert.ok(cheap.status === 'ERROR' && cheap.verdict.code === 'txInsufficientFee');
  assert.equal(ledger.submit(bump(ledger, customer, inner, 1000).toXdr()).status, 'PENDING');
  assert.equal(ledger.close().transactions.length, 1);
});

test('a transaction can have 100 operations, but not 101', () => {
  const { ledger, treasury, customer, pay } = withToken();
  const many = (count: number) => Array.from({ length: count }, () => pay(customer, '0.01'));
  assert.match(send(ledger, treasury, many(100)), /^txSuccess\[.*\] fee=10000$/);
  assert.throws(() => ledger.decode(ledger.build(treasury, many(101)).toXdr()));
});

test('a transaction that could expire before the next ledger is refused; one that expires while waiting disappears without a fee', () => {
  const { ledger, treasury, customer, pay } = withToken();
  const until = (seconds: number) => {
    const { sequence } = ledger.account(treasury.publicKey())!;
    const maxTime = ledger.latest.closeTime + seconds;
    const transaction = new TransactionBuilder(new Account(treasury.publicKey(), sequence.toString()), {
      fee: '100',
      networkPassphrase: ledger.passphrase,
      timebounds: { minTime: 0, maxTime },
    })
      .addOperation(pay(customer, '1'))
      .build();
    transaction.sign(treasury);
    return transaction;
  };
  assert.equal(result(ledger, until(3)), 'ERROR txTooLate fee=100');
  const waiting = until(60);
  const before = ledger.account(treasury.publicKey());
  assert.equal(ledger.submit(waiting.toXdr()).status, 'PENDING');
  ledger.advance(61_000);
  assert.equal(ledger.close().transactions.length, 0);
  assert.deepEqual(ledger.account(treasury.publicKey()), before);
  assert.equal(result(ledger, waiting), 'ERROR txTooLate fee=100');
  assert.equal(send(ledger, treasury, [pay(customer, '1')]), 'txSuccess[paymentSuccess] fee=100');
});

test('a transaction that does not fit into a ledger waits for the next one', () => {
  const ledger = new StellarLedger({ maxOperationsPerLedger: 1 });
  const both = [Keypair.random(), Keypair.random()];
  ledger.createAccounts(both.slice(0, 1));
  ledger.createAccounts(both.slice(1));
  for (const source of both) {
    const one = [Operation.bumpSequence({ bumpTo: '1' })];
    assert.equal(ledger.submit(ledger.build(source, one).toXdr()).status, 'PENDING');
  }
  assert.equal(ledger.close().transactions.length, 1);
  assert.equal(ledger.close().transactions.length, 1);
});

test('a transaction with too low a fee waits; a fee bump with ten times the fee is included', () => {
  const { ledger, treasury, customer, asset } = withToken();
  const amount = '1';
  const pay = Operation.payment({ destination: customer.publicKey(), asset, amount });
  const transaction = ledger.build(treasury, [pay]);
  ledger.surge(500n);
  assert.equal(ledger.submit(transaction.toXdr()).status, 'PENDING');
  assert.deepEqual([ledger.close().transactions.length, ledger.heldBack], [0, 1]);
  const bump = (fee: string) => {
    const made = TransactionBuilder.buildFeeBumpTransaction(treasury, fee, transaction, ledger.passphrase);
    made.sign(treasury);
    return ledger.submit(made.toXdr()).status;
  };
  assert.deepEqual([bump('999'), bump('1000')], ['ERROR', 'PENDING']);
  const [closed] = ledger.close().transactions;
  assert.deepEqual([closed!.successful, closed!.verdict.feeCharged], [true, 1_000n]);
  ledger.surge();
  ledger.execute(treasury, [pay]);
});

test('a claimable balance waits for a trustline, then is claimed once', () => {
  const { ledger, treasury, stranger, asset } = withToken();
  const creation = ledger.build(
    treasury,
    [
      Operation.createClaimableBalance({
        asset,
        amount: '40',
        claimants: [new Claimant(stranger.publicKey())],
      }),
    ],
    { memo: Memo.text('order 1') },
  );
  assert.equal(result(ledger, creation), 'txSuccess[createClaimableBalanceSuccess] fee=100');
  const balanceId = creation.getClaimableBalanceId(0);
  assert.equal(ledger.account(treasury.publicKey())!.sponsoring, 1);
  const claim = Operation.claimClaimableBalance({ balanceId });
  assert.equal(send(ledger, stranger, [claim]), 'txFailed[claimClaimableBalanceNoTrust] fee=100');
  ledger.trust([stranger], asset);
  assert.equal(send(ledger, treasury, [claim]), 'txFailed[claimClaimableBalanceCannotClaim] fee=100');
  assert.equal(send(ledger, stranger, [claim]), 'txSuccess[claimClaimableBalanceSuccess] fee=100');
  assert.equal(send(ledger, stranger, [claim]), 'txFailed[claimClaimableBalanceDoesNotExist] fee=100');
  assert.equal(ledger.balanceOf(stranger.publicKey(), asset), 400_000_000n);
  assert.equal(ledger.account(treasury.publicKey())!.sponsoring, 0);
});

test('the creator can reclaim a claimable balance after a time', () => {
  const { ledger, treasury, stranger, asset } = withToken();
  const early = Claimant.predicateBeforeRelativeTime('600');
  const claimants = [
    new Claimant(stranger.publicKey(), early),
    new Claimant(treasury.publicKey(), Claimant.predicateNot(early)),
  ];
  const creation = ledger.build(treasury, [
    Operation.createClaimableBalance({ asset, amount: '40', claimants }),
  ]);
  result(ledger, creation);
  const claim = Operation.claimClaimableBalance({ balanceId: creation.getClaimableBalanceId(0) });
  assert.equal(send(ledger, treasury, [claim]), 'txFailed[claimClaimableBalanceCannotClaim] fee=100');
  ledger.advance(601_000);
  assert.equal(send(ledger, treasury, [claim]), 'txSuccess[claimClaimableBalanceSuccess] fee=100');
  assert.equal(ledger.balanceOf(treasury.publicKey(), asset), 10_000_000_000_000n);
});
