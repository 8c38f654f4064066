// The rules of the ledger beyond the table of results: what a failure costs, who may sign, what waits, what is lost.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Account,
  Asset,
  Claimant,
  Keypair,
  Memo,
  Operation,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { StellarLedger } from './ledger.ts';
import { verdictText } from './results.ts';

const hashOf = (transaction: { hash(): Uint8Array }) => Buffer.from(transaction.hash()).toString('hex');

function result(ledger: StellarLedger, transaction: { toXdr(): string; hash(): Uint8Array }): string {
  const answer = ledger.submit(transaction.toXdr());
  if (answer.status === 'ERROR') return `ERROR ${verdictText(answer.verdict)}`;
  if (answer.status !== 'PENDING') return answer.status;
  ledger.close();
  const closed = ledger.transaction(hashOf(transaction));
  return closed === undefined ? 'VANISHED' : verdictText(closed.verdict);
}

function send(
  ledger: StellarLedger,
  source: Keypair,
  operations: xdr.Operation[],
  signers?: Keypair[],
): string {
  return result(ledger, ledger.build(source, operations, signers === undefined ? {} : { signers }));
}

function withToken(customers = 1, withoutTrustline = 1) {
  const ledger = new StellarLedger();
  const token = ledger.setUpToken({ customers, withoutTrustline });
  const pay = (to: Keypair, amount: string, asset = token.asset) =>
    Operation.payment({ destination: to.publicKey(), asset, amount });
  return { ledger, ...token, customer: token.customers[0]!, stranger: token.withoutTrustline[0]!, pay };
}

/** Every lumen of the network: in accounts, in claimable balances, or paid as a fee. */
function lumens(ledger: StellarLedger): bigint {
  const state = ledger.stateAsOf(ledger.latest.sequence);
  const held = [...state.allAccounts()].reduce((sum, { balance }) => sum + balance, 0n);
  const aside = [...state.allClaimables()].filter(({ asset }) => asset === 'native');
  return held + aside.reduce((sum, { amount }) => sum + amount, 0n) + ledger.latest.feePool;
}

describe('accounts and amounts', () => {
  it('a failed transaction costs its fee and its sequence number and moves nothing', () => {
    const { ledger, treasury, customer, stranger, pay } = withToken();
    const before = ledger.account(treasury.publicKey())!;
    const text = send(ledger, treasury, [pay(customer, '5'), pay(stranger, '5')]);
    assert.equal(text, 'txFailed[paymentSuccess,paymentNoTrust] fee=200');
    const after = ledger.account(treasury.publicKey())!;
    assert.equal(after.balance, before.balance - 200n);
    assert.equal(after.sequence, before.sequence + 1n);
    assert.deepEqual(after.trustlines, before.trustlines);
  });

  it('an account that can pay the fee is told what is wrong with its trustline', () => {
    const { ledger, customer, stranger, pay, asset } = withToken();
    assert.equal(send(ledger, stranger, [pay(customer, '1')]), 'txFailed[paymentSrcNoTrust] fee=100');
    const remove = Operation.changeTrust({ asset, limit: '0' });
    assert.equal(send(ledger, stranger, [remove]), 'txFailed[changeTrustInvalidLimit] fee=100');
    assert.equal(send(ledger, customer, [remove]), 'txSuccess[changeTrustSuccess] fee=100');
  });

  it('the reserve cannot be spent, and every entry adds to it', () => {
    const { ledger, customer, treasury, pay } = withToken();
    // 100 lumens, one trustline: 1.5 are reserved, and this transaction costs 0.00001.
    const rest = ledger.balanceOf(customer.publicKey())! - 15_000_000n - 100n;
    const lumensText = (stroops: bigint) =>
      `${stroops / 10_000_000n}.${String(stroops % 10_000_000n).padStart(7, '0')}`;
    const tooMuch = send(ledger, customer, [pay(treasury, lumensText(rest + 1n), Asset.native())]);
    assert.equal(tooMuch, 'txFailed[paymentUnderfunded] fee=100');
    const all = send(ledger, customer, [pay(treasury, lumensText(rest - 100n), Asset.native())]);
    assert.equal(all, 'txSuccess[paymentSuccess] fee=100');
    assert.equal(ledger.balanceOf(customer.publicKey()), 15_000_000n);
  });

  it('no lumen and no token is made or lost on the way', () => {
    const { ledger, treasury, customer, stranger, issuer, pay, asset } = withToken();
    const whole = lumens(ledger);
    const claimants = [new Claimant(stranger.publicKey())];
    send(ledger, treasury, [
      pay(customer, '12.5'),
      Operation.createClaimableBalance({ asset: Asset.native(), amount: '3', claimants }),
      Operation.createClaimableBalance({ asset, amount: '7', claimants }),
    ]);
    send(ledger, treasury, [pay(customer, '1'), pay(stranger, '1')]);
    send(ledger, customer, [pay(issuer, '2.5')]);
    assert.equal(lumens(ledger), whole);
    assert.equal(ledger.balanceOf(treasury.publicKey(), asset), 9_999_805_000_000n);
    assert.equal(ledger.balanceOf(customer.publicKey(), asset), 100_000_000n);
  });

  it('an issuer that asks for authorisation is waited for', () => {
    const { ledger, issuer, stranger, treasury, asset, pay } = withToken();
    ledger.execute(issuer, [Operation.setOptions({ setFlags: 3 })]);
    ledger.trust([stranger], asset);
    assert.equal(send(ledger, treasury, [pay(stranger, '1')]), 'txFailed[paymentNotAuthorized] fee=100');
    const allow = { trustor: stranger.publicKey(), asset, flags: { authorized: true } };
    ledger.execute(issuer, [Operation.setTrustLineFlags(allow)]);
    assert.equal(send(ledger, treasury, [pay(stranger, '1')]), 'txSuccess[paymentSuccess] fee=100');
  });

  it('data, home domain, sequence bump and merge', () => {
    const { ledger, customer, stranger } = withToken();
    ledger.execute(customer, [
      Operation.manageData({ name: 'config.memo_required', value: '1' }),
      Operation.setOptions({ homeDomain: 'example.test' }),
    ]);
    const account = ledger.account(customer.publicKey())!;
    assert.equal(Buffer.from(account.data.get('config.memo_required')!).toString(), '1');
    assert.equal(account.homeDomain, 'example.test');
    const bumpTo = (account.sequence + 10n).toString();
    ledger.execute(customer, [Operation.bumpSequence({ bumpTo })]);
    assert.equal(ledger.account(customer.publicKey())!.sequence.toString(), bumpTo);
    const merge = Operation.accountMerge({ destination: customer.publicKey() });
    assert.equal(
      send(ledger, customer, [Operation.accountMerge({ destination: stranger.publicKey() })]),
      'txFailed[accountMergeHasSubEntries] fee=100',
    );
    assert.equal(send(ledger, stranger, [merge]), 'txSuccess[accountMergeSuccess] fee=100');
    assert.equal(ledger.account(stranger.publicKey()), undefined);
  });

  it('an operation it does not know is refused by name', () => {
    const { ledger, treasury, asset } = withToken();
    const offer = Operation.manageSellOffer({
      selling: asset,
      buying: Asset.native(),
      amount: '1',
      price: '1',
    });
    assert.equal(send(ledger, treasury, [offer]), 'ERROR txFailed[opNotSupported] fee=100');
  });
});

describe('signatures', () => {
  it('weights have to reach the threshold, and none may be left over', () => {
    const { ledger, treasury, customer, pay } = withToken();
    const [second, third] = [Keypair.random(), Keypair.random()];
    const signer = (keypair: Keypair) =>
      Operation.setOptions({ signer: { ed25519PublicKey: keypair.publicKey(), weight: 1 } });
    ledger.execute(treasury, [
      signer(second),
      signer(third),
      Operation.setOptions({ masterWeight: 1, lowThreshold: 1, medThreshold: 2, highThreshold: 3 }),
    ]);
    const one = [pay(customer, '1')];
    assert.equal(send(ledger, treasury, one), 'ERROR txFailed[opBadAuth] fee=100');
    assert.equal(send(ledger, treasury, one, [second, third]), 'txSuccess[paymentSuccess] fee=100');
    assert.equal(send(ledger, treasury, one, [treasury, second, third]), 'ERROR txBadAuthExtra fee=100');
    const remove = Operation.setOptions({ signer: { ed25519PublicKey: third.publicKey(), weight: 0 } });
    assert.equal(send(ledger, treasury, [remove], [treasury, second]), 'ERROR txFailed[opBadAuth] fee=100');
    assert.equal(
      send(ledger, treasury, [remove], [treasury, second, third]),
      'txSuccess[setOptionsSuccess] fee=100',
    );
  });

  it('a signature for another network does not count', () => {
    const { ledger, treasury, customer, pay } = withToken();
    const other = new StellarLedger({ passphrase: 'another network' });
    other.createAccounts([treasury]);
    const elsewhere = ledger.build(treasury, [pay(customer, '1')]);
    const source = new Account(treasury.publicKey(), (BigInt(elsewhere.sequence) - 1n).toString());
    const foreign = new TransactionBuilder(source, { fee: '100', networkPassphrase: other.passphrase })
      .addOperation(pay(customer, '1'))
      .setTimeout(0)
      .build();
    foreign.sign(treasury);
    assert.equal(result(ledger, foreign), 'ERROR txBadAuth fee=100');
  });
});

describe('waiting for a ledger', () => {
  const bump = (ledger: StellarLedger, payer: Keypair, inner: Transaction, feeStroops: number) => {
    const outer = TransactionBuilder.buildFeeBumpTransaction(
      payer,
      String(feeStroops),
      inner,
      ledger.passphrase,
    );
    outer.sign(payer);
    return outer;
  };

  it('one transaction per source waits, and the same one again is a duplicate', () => {
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

  it('a fee-bump is paid by another account and found under both hashes', () => {
    const { ledger, treasury, customer, pay } = withToken();
    const inner = ledger.build(treasury, [pay(customer, '1')]);
    const before = ledger.balanceOf(treasury.publicKey());
    const outer = bump(ledger, customer, inner, 300);
    assert.equal(result(ledger, outer), 'txFeeBumpInnerSuccess(txSuccess)[paymentSuccess] fee=200');
    assert.equal(ledger.balanceOf(treasury.publicKey()), before);
    assert.equal(ledger.balanceOf(customer.publicKey()), 1_000_000_000n - 200n);
    assert.equal(ledger.transaction(hashOf(inner)), ledger.transaction(hashOf(outer)));
  });

  it('a fee-bump takes the place of what waits only for ten times the fee', () => {
    const { ledger, treasury, customer, pay } = withToken();
    const inner = ledger.build(treasury, [pay(customer, '1')]);
    assert.equal(ledger.submit(inner.toXdr()).status, 'PENDING');
    const cheap = ledger.submit(bump(ledger, customer, inner, 999).toXdr());
    assert.ok(cheap.status === 'ERROR' && cheap.verdict.code === 'txInsufficientFee');
    assert.equal(ledger.submit(bump(ledger, customer, inner, 1000).toXdr()).status, 'PENDING');
    assert.equal(ledger.close().transactions.length, 1);
  });

  it('a hundred operations are one transaction, a hundred and one are none', () => {
    const { ledger, treasury, customer, pay } = withToken();
    const many = (count: number) => Array.from({ length: count }, () => pay(customer, '0.01'));
    assert.match(send(ledger, treasury, many(100)), /^txSuccess\[.*\] fee=10000$/);
    assert.throws(() => ledger.decode(ledger.build(treasury, many(101)).toXdr()));
  });

  it('what could expire before the next ledger is not let in; what expires waiting vanishes without a fee', () => {
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

  it('what does not fit into a ledger waits for the one after', () => {
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
});

describe('full ledgers', () => {
  it('whoever offers too little waits; a fee bump of ten times the fee goes, for what the ledger takes', () => {
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
});

describe('claimable balances', () => {
  it('wait for a trustline, then are claimed once', () => {
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

  it('can be taken back by their maker after a time', () => {
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
});
