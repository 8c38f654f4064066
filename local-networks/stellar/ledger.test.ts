// Tests the rules of the ledger beyond the table of results: the cost of a failure, who may sign, which transactions wait, and
// which are dropped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account, Asset, Claimant, Keypair, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { result, send, withToken } from '../../test/support/networks/stellar-ledger.ts';
import { StellarLedger } from './ledger.ts';

/** The sum of all lumens of the network: in accounts, in claimable balances, or paid as fees. */
function lumens(ledger: StellarLedger): bigint {
  const state = ledger.stateAsOf(ledger.latest.sequence);
  const held = [...state.allAccounts()].reduce((sum, { balance }) => sum + balance, 0n);
  const aside = [...state.allClaimables()].filter(({ asset }) => asset === 'native');
  return held + aside.reduce((sum, { amount }) => sum + amount, 0n) + ledger.latest.feePool;
}

test('a failed transaction costs its fee and its sequence number, and moves nothing', () => {
  const { ledger, treasury, customer, stranger, pay } = withToken();
  const before = ledger.account(treasury.publicKey())!;
  const text = send(ledger, treasury, [pay(customer, '5'), pay(stranger, '5')]);
  assert.equal(text, 'txFailed[paymentSuccess,paymentNoTrust] fee=200');
  const after = ledger.account(treasury.publicKey())!;
  assert.equal(after.balance, before.balance - 200n);
  assert.equal(after.sequence, before.sequence + 1n);
  assert.deepEqual(after.trustlines, before.trustlines);
});

test('an account without a trustline that can pay the fee gets the error about the trustline', () => {
  const { ledger, customer, stranger, pay, asset } = withToken();
  assert.equal(send(ledger, stranger, [pay(customer, '1')]), 'txFailed[paymentSrcNoTrust] fee=100');
  const remove = Operation.changeTrust({ asset, limit: '0' });
  assert.equal(send(ledger, stranger, [remove]), 'txFailed[changeTrustInvalidLimit] fee=100');
  assert.equal(send(ledger, customer, [remove]), 'txSuccess[changeTrustSuccess] fee=100');
});

test('the reserve cannot be spent, and every entry increases it', () => {
  const { ledger, customer, treasury, pay } = withToken();
  // The account has 100 lumens and one trustline. So 1.5 lumens are reserved, and this transaction costs 0.00001.
  const rest = ledger.balanceOf(customer.publicKey())! - 15_000_000n - 100n;
  const lumensText = (stroops: bigint) =>
    `${stroops / 10_000_000n}.${String(stroops % 10_000_000n).padStart(7, '0')}`;
  const tooMuch = send(ledger, customer, [pay(treasury, lumensText(rest + 1n), Asset.native())]);
  assert.equal(tooMuch, 'txFailed[paymentUnderfunded] fee=100');
  const all = send(ledger, customer, [pay(treasury, lumensText(rest - 100n), Asset.native())]);
  assert.equal(all, 'txSuccess[paymentSuccess] fee=100');
  assert.equal(ledger.balanceOf(customer.publicKey()), 15_000_000n);
});

test('no lumen and no token is created or lost', () => {
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

test('a payment is refused until the issuer has authorised the account', () => {
  const { ledger, issuer, stranger, treasury, asset, pay } = withToken();
  ledger.execute(issuer, [Operation.setOptions({ setFlags: 3 })]);
  ledger.trust([stranger], asset);
  assert.equal(send(ledger, treasury, [pay(stranger, '1')]), 'txFailed[paymentNotAuthorized] fee=100');
  const allow = { trustor: stranger.publicKey(), asset, flags: { authorized: true } };
  ledger.execute(issuer, [Operation.setTrustLineFlags(allow)]);
  assert.equal(send(ledger, treasury, [pay(stranger, '1')]), 'txSuccess[paymentSuccess] fee=100');
});

test('supports data, home domain, sequence bump and merge', () => {
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

test('an unknown operation is refused by name', () => {
  const { ledger, treasury, asset } = withToken();
  const offer = Operation.manageSellOffer({
    selling: asset,
    buying: Asset.native(),
    amount: '1',
    price: '1',
  });
  assert.equal(send(ledger, treasury, [offer]), 'ERROR txFailed[opNotSupported] fee=100');
});

test('the signature weights must reach the threshold, and unused signatures are refused', () => {
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

test('a signature for another network does not count', () => {
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
