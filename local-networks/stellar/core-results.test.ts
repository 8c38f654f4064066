// The results of a real core (version 19.0.1) for forty submissions. The test builds each as a real transaction on a new ledger
// and expects exactly the same result.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  Account,
  Asset,
  Keypair,
  MuxedAccount,
  Operation,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { StellarLedger } from './ledger.ts';
import { verdictText } from './results.ts';

interface Shape {
  readonly signers?: readonly Keypair[];
  readonly fee?: number;
  /** A number that is added to the correct sequence number. */
  readonly skew?: bigint;
  readonly minTime?: number;
  readonly maxTime?: number;
}

const LATE = 1_000_000_000;

class World {
  readonly ledger = new StellarLedger();
  readonly issuer = Keypair.random();
  readonly treasury = Keypair.random();
  readonly bob = Keypair.random();
  /** An account that has only the reserve, so it cannot pay anything, not even a fee. */
  readonly poor = Keypair.random();
  readonly missing = Keypair.random();
  readonly token = new Asset('NGNC', this.issuer.publicKey());

  create(balances: readonly [Keypair, string][]) {
    return balances.map(([keypair, startingBalance]) =>
      Operation.createAccount({ destination: keypair.publicKey(), startingBalance }),
    );
  }

  createFour() {
    return this.create([
      [this.issuer, '100'],
      [this.treasury, '100'],
      [this.bob, '100'],
      [this.poor, '1'],
    ]);
  }

  pay(to: Keypair, amount: string, asset = this.token, source?: Keypair) {
    const from = source === undefined ? {} : { source: source.publicKey() };
    return Operation.payment({ destination: to.publicKey(), asset, amount, ...from });
  }

  founded(): this {
    this.ledger.execute(this.ledger.root, this.createFour());
    return this;
  }

  opened(): this {
    this.founded();
    this.ledger.execute(this.treasury, [Operation.changeTrust({ asset: this.token, limit: '2000' })]);
    this.ledger.execute(this.bob, [Operation.changeTrust({ asset: this.token, limit: '10' })]);
    this.ledger.execute(this.issuer, [this.pay(this.treasury, '1000')]);
    return this;
  }

  build(source: Keypair, operations: readonly xdr.Operation[], shape: Shape = {}): Transaction {
    const sequence = (this.ledger.account(source.publicKey())?.sequence ?? 0n) + (shape.skew ?? 0n);
    const builder = new TransactionBuilder(new Account(source.publicKey(), sequence.toString()), {
      fee: String(shape.fee ?? 100),
      networkPassphrase: this.ledger.passphrase,
      timebounds: { minTime: shape.minTime ?? 0, maxTime: shape.maxTime ?? 0 },
    });
    for (const operation of operations) builder.addOperation(operation);
    const transaction = builder.build();
    transaction.sign(...(shape.signers ?? [source]));
    return transaction;
  }

  submit(transaction: Transaction): string {
    const answer = this.ledger.submit(transaction.toXdr());
    return answer.status === 'ERROR' ? `ERROR ${verdictText(answer.verdict)}` : answer.status;
  }

  result(transaction: Transaction): string {
    const answer = this.submit(transaction);
    if (answer !== 'PENDING') return answer;
    this.ledger.close();
    return verdictText(this.ledger.transaction(Buffer.from(transaction.hash()).toString('hex'))!.verdict);
  }

  send(source: Keypair, operations: readonly xdr.Operation[], shape: Shape = {}): string {
    return this.result(this.build(source, operations, shape));
  }
}

const fresh = () => new World();
const opened = () => new World().opened();
const lastClose = (world: World) => world.ledger.latest.closeTime;

function payBob(shape: (world: World) => Shape): () => string {
  return () => {
    const world = opened();
    return world.send(world.treasury, [world.pay(world.bob, '1')], shape(world));
  };
}

function trust(who: (world: World) => Keypair, asset?: (world: World) => Asset, limit?: string) {
  return () => {
    const world = opened();
    const line = { asset: asset?.(world) ?? world.token, ...(limit === undefined ? {} : { limit }) };
    return world.send(who(world), [Operation.changeTrust(line)]);
  };
}

function firstTrust(who: (world: World) => Keypair, limit = '1000') {
  return () => {
    const world = fresh().founded();
    return world.send(who(world), [Operation.changeTrust({ asset: world.token, limit })]);
  };
}

function payment(run: (world: World) => [Keypair, ...xdr.Operation[]], shape?: (world: World) => Shape) {
  return () => {
    const world = opened();
    const [source, ...operations] = run(world);
    return world.send(source, operations, shape?.(world) ?? {});
  };
}

function onFresh(run: (world: World) => xdr.Operation[]): () => string {
  return () => {
    const world = fresh();
    return world.send(world.ledger.root, run(world));
  };
}

const created = 'createAccountSuccess';
const other = Keypair.random();

const CASES: readonly [string, string, () => string][] = [
  [
    'create4',
    `txSuccess[${[created, created, created, created].join()}] fee=400`,
    onFresh((w) => w.createFour()),
  ],
  [
    'create existing',
    'txFailed[createAccountAlreadyExist] fee=100',
    payment((w) => [w.ledger.root, ...w.create([[w.bob, '5']])]),
  ],
  [
    'create low reserve',
    'txFailed[createAccountLowReserve] fee=100',
    onFresh((w) => w.create([[w.bob, '0.9999999']])),
  ],
  ['trust tre', 'txSuccess[changeTrustSuccess] fee=100', firstTrust((w) => w.treasury)],
  ['trust poor (fee not affordable)', 'ERROR txInsufficientBalance fee=100', trust((w) => w.poor)],
  ['issue', 'txSuccess[paymentSuccess] fee=100', payment((w) => [w.issuer, w.pay(w.treasury, '100')])],
  ['no trust', 'txFailed[paymentNoTrust] fee=100', payment((w) => [w.treasury, w.pay(w.poor, '1')])],
  ['no dest', 'txFailed[paymentNoDestination] fee=100', payment((w) => [w.treasury, w.pay(w.missing, '1')])],
  [
    'trust no issuer',
    'txFailed[changeTrustNoIssuer] fee=100',
    trust(
      (w) => w.treasury,
      (w) => new Asset('NGNC', w.missing.publicKey()),
    ),
  ],
  ['trust bob 10', 'txSuccess[changeTrustSuccess] fee=100', firstTrust((w) => w.bob, '10')],
  ['pay bob', 'txSuccess[paymentSuccess] fee=100', payBob(() => ({}))],
  [
    'resubmit applied bytes',
    'ERROR txBadSeq fee=100',
    () => {
      const world = opened();
      const transaction = world.build(world.treasury, [world.pay(world.bob, '1')]);
      assert.equal(world.result(transaction), 'txSuccess[paymentSuccess] fee=100');
      return world.result(transaction);
    },
  ],
  [
    'line full',
    'txFailed[paymentLineFull] fee=100',
    payment((w) => [w.treasury, w.pay(w.bob, '10.0000001')]),
  ],
  [
    'atomic underfunded',
    'txFailed[paymentSuccess,paymentUnderfunded] fee=200',
    payment((w) => [w.treasury, w.pay(w.bob, '1'), w.pay(w.bob, '5000', Asset.native())]),
  ],
  ['src no trust', 'ERROR txInsufficientBalance fee=100', payment((w) => [w.poor, w.pay(w.bob, '1')])],
  ['bad seq low', 'ERROR txBadSeq fee=100', payBob(() => ({ skew: -1n }))],
  ['bad seq high', 'ERROR txBadSeq fee=100', payBob(() => ({ skew: 1n }))],
  ['too late', 'ERROR txTooLate fee=100', payBob(() => ({ maxTime: LATE }))],
  ['too early', 'ERROR txTooEarly fee=100', payBob((w) => ({ minTime: lastClose(w) + 3600 }))],
  ['bad auth', 'ERROR txBadAuth fee=100', payBob(() => ({ signers: [other] }))],
  ['no sig', 'ERROR txBadAuth fee=100', payBob(() => ({ signers: [] }))],
  ['extra sig', 'ERROR txBadAuthExtra fee=100', payBob((w) => ({ signers: [w.treasury, other] }))],
  [
    'op bad auth',
    'ERROR txFailed[opBadAuth] fee=100',
    payment((w) => [w.treasury, w.pay(w.treasury, '1', Asset.native(), w.bob)]),
  ],
  [
    'op src signed',
    'txSuccess[paymentSuccess] fee=100',
    payment(
      (w) => [w.treasury, w.pay(w.treasury, '1', Asset.native(), w.bob)],
      (w) => ({ signers: [w.treasury, w.bob] }),
    ),
  ],
  ['low fee', 'ERROR txInsufficientFee fee=100', payBob(() => ({ fee: 99 }))],
  ['no account', 'ERROR txNoAccount fee=100', payment((w) => [w.missing, w.pay(w.bob, '1')])],
  [
    'muxed',
    'txSuccess[paymentSuccess] fee=100',
    payment((w) => {
      const to = new MuxedAccount(new Account(w.bob.publicKey(), '0'), '77').accountId();
      return [w.treasury, Operation.payment({ destination: to, asset: w.token, amount: '1' })];
    }),
  ],
  ['late+badseq', 'ERROR txTooLate fee=100', payBob(() => ({ maxTime: LATE, skew: 5n }))],
  ['late+lowfee', 'ERROR txTooLate fee=100', payBob(() => ({ maxTime: LATE, fee: 99 }))],
  ['badseq+badauth', 'ERROR txBadSeq fee=100', payBob(() => ({ skew: 5n, signers: [other] }))],
  ['lowfee+badseq', 'ERROR txInsufficientFee fee=100', payBob(() => ({ fee: 99, skew: 5n }))],
  ['badauth+lowfee', 'ERROR txInsufficientFee fee=100', payBob(() => ({ fee: 99, signers: [other] }))],
  ['maxTime == last close', 'ERROR txTooLate fee=100', payBob((w) => ({ maxTime: lastClose(w) }))],
  ['minTime == last close', 'ERROR txTooEarly fee=100', payBob((w) => ({ minTime: lastClose(w) }))],
  ['self payment', 'txSuccess[paymentSuccess] fee=100', payment((w) => [w.treasury, w.pay(w.treasury, '1')])],
  [
    'pay issuer (burn)',
    'txSuccess[paymentSuccess] fee=100',
    payment((w) => [w.treasury, w.pay(w.issuer, '1')]),
  ],
  [
    'issuer beyond limit',
    'txFailed[paymentLineFull] fee=100',
    payment((w) => [w.issuer, w.pay(w.bob, '11')]),
  ],
  ['remove missing trust', 'ERROR txInsufficientBalance fee=100', trust((w) => w.poor, undefined, '0')],
  ['trust self issuer', 'ERROR txFailed[changeTrustMalformed] fee=100', trust((w) => w.issuer)],
  [
    'queue a',
    'PENDING',
    () => {
      const world = opened();
      return world.submit(world.build(world.treasury, [world.pay(world.bob, '1')]));
    },
  ],
];

describe('results of a real core', () => {
  it('are forty', () => assert.equal(new Set(CASES.map(([name]) => name)).size, 40));
  for (const [name, expected, run] of CASES) {
    it(`${name}: ${expected}`, () => assert.equal(run(), expected));
  }
});
