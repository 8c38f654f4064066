// Sets up a ledger: accounts with lumens, and a stablecoin with issuer, treasury and customers. Everything happens in real,
// signed transactions, each in a separate ledger.
import {
  Account,
  Asset,
  Keypair,
  type Memo,
  Operation,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import type { StellarEnvelope } from './envelope.ts';
import type { ClosedTransaction } from './history.ts';
import type { CoreAnswer } from './queue.ts';
import { verdictText } from './results.ts';

const MAX_OPERATIONS = 100;

interface SetUpLedger {
  readonly passphrase: string;
  readonly root: Keypair;
  readonly feePerOperation: bigint;
  readonly pendingCount: number;
  now(): number;
  account(id: string): { readonly sequence: bigint } | undefined;
  decode(envelopeXdr: string): StellarEnvelope;
  submit(envelope: StellarEnvelope): CoreAnswer;
  close(): unknown;
  transaction(hashHex: string): ClosedTransaction | undefined;
}

export interface BuildOptions {
  readonly signers?: readonly Keypair[];
  readonly memo?: Memo;
  /** Per operation. */
  readonly feeStroops?: number;
}

/** Returns a signed transaction with the next sequence number of the account. It is valid for five minutes. */
export function buildTransaction(
  ledger: SetUpLedger,
  source: Keypair,
  operations: readonly xdr.Operation[],
  options: BuildOptions = {},
): Transaction {
  const sequence = ledger.account(source.publicKey())?.sequence ?? 0n;
  const builder = new TransactionBuilder(new Account(source.publicKey(), sequence.toString()), {
    fee: String(options.feeStroops ?? 100),
    networkPassphrase: ledger.passphrase,
    timebounds: { minTime: 0, maxTime: Math.floor(ledger.now() / 1000) + 300 },
    ...(options.memo === undefined ? {} : { memo: options.memo }),
  });
  for (const operation of operations) builder.addOperation(operation);
  const transaction = builder.build();
  transaction.sign(...(options.signers ?? [source]));
  return transaction;
}

export function executeOperations(
  ledger: SetUpLedger,
  source: Keypair,
  operations: readonly xdr.Operation[],
  options: BuildOptions = {},
): ClosedTransaction {
  // The transaction offers the fee that the ledger requires now, so that it does not have to wait.
  const offer = { feeStroops: Number(ledger.feePerOperation), ...options };
  const envelope = ledger.decode(buildTransaction(ledger, source, operations, offer).toXdr());
  const answer = ledger.submit(envelope);
  if (answer.status !== 'PENDING') {
    const why = answer.status === 'ERROR' ? verdictText(answer.verdict) : '';
    throw new Error(`the ledger did not take the transaction: ${answer.status} ${why}`);
  }
  // More transactions may be pending than one ledger takes.
  while (ledger.pendingCount > 0 && ledger.transaction(envelope.hashHex) === undefined) ledger.close();
  const closed = ledger.transaction(envelope.hashHex);
  if (closed === undefined) throw new Error('the transaction got lost');
  if (!closed.successful) throw new Error(`the transaction failed: ${verdictText(closed.verdict)}`);
  return closed;
}

export function createAccounts(ledger: SetUpLedger, keypairs: readonly Keypair[], lumens = '100'): void {
  for (let from = 0; from < keypairs.length; from += MAX_OPERATIONS) {
    const part = keypairs.slice(from, from + MAX_OPERATIONS);
    const operations = part.map((keypair) =>
      Operation.createAccount({ destination: keypair.publicKey(), startingBalance: lumens }),
    );
    executeOperations(ledger, ledger.root, operations);
  }
}

/** Adds trustlines in batches. All accounts sign, and the first one pays the fees. */
export function addTrustlines(
  ledger: SetUpLedger,
  keypairs: readonly Keypair[],
  asset: Asset,
  limit?: string,
): void {
  // An envelope can have at most 20 signatures.
  const size = 20;
  for (let from = 0; from < keypairs.length; from += size) {
    const part = keypairs.slice(from, from + size);
    const operations = part.map((keypair) =>
      Operation.changeTrust({
        asset,
        source: keypair.publicKey(),
        ...(limit === undefined ? {} : { limit }),
      }),
    );
    executeOperations(ledger, part[0]!, operations, { signers: part });
  }
}

export interface StellarTokenOptions {
  readonly code?: string;
  readonly issuer?: Keypair;
  readonly treasury?: Keypair;
  readonly treasuryTokens?: string;
  readonly treasuryLumens?: string;
  readonly customers?: number | readonly Keypair[];
  readonly withoutTrustline?: number | readonly Keypair[];
}

export interface SetUpToken {
  readonly asset: Asset;
  readonly issuer: Keypair;
  readonly treasury: Keypair;
  readonly customers: readonly Keypair[];
  readonly withoutTrustline: readonly Keypair[];
}

function makeKeypairs(wanted: number | readonly Keypair[] | undefined): readonly Keypair[] {
  return typeof wanted === 'object' ? wanted : Array.from({ length: wanted ?? 0 }, () => Keypair.random());
}

export function setUpToken(ledger: SetUpLedger, options: StellarTokenOptions = {}): SetUpToken {
  const issuer = options.issuer ?? Keypair.random();
  const treasury = options.treasury ?? Keypair.random();
  const customers = makeKeypairs(options.customers);
  const withoutTrustline = makeKeypairs(options.withoutTrustline);
  const asset = new Asset(options.code ?? 'NGNC', issuer.publicKey());
  createAccounts(ledger, [issuer, ...customers, ...withoutTrustline]);
  createAccounts(ledger, [treasury], options.treasuryLumens ?? '10000');
  addTrustlines(ledger, [treasury, ...customers], asset);
  const amount = options.treasuryTokens ?? '1000000';
  executeOperations(ledger, issuer, [
    Operation.payment({ destination: treasury.publicKey(), asset, amount }),
  ]);
  return { asset, issuer, treasury, customers, withoutTrustline };
}
