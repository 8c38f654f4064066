// A correct Stellar ledger in this process. It accepts real envelopes, checks them like the core, and applies them when a
// ledger closes. Its time follows the system clock. A test can move the time forward, but never back.
import { type Asset, Keypair, type Transaction, type xdr } from '@stellar/stellar-sdk';
import { applyTransactions } from './apply-transactions.ts';
import { checkSubmission } from './checks.ts';
import { ClosedState, type StateView } from './closed-state.ts';
import { FeeDemand } from './demand.ts';
import { decodeEnvelope, type StellarEnvelope, sha256, toHex } from './envelope.ts';
import { type ClosedLedger, type ClosedTransaction, closeTransaction, LedgerHistory } from './history.ts';
import { type CoreAnswer, PendingQueue } from './queue.ts';
import {
  addTrustlines,
  type BuildOptions,
  buildTransaction,
  createAccounts,
  executeOperations,
  type SetUpToken,
  type StellarTokenOptions,
  setUpToken,
} from './set-up.ts';
import { type AccountEntry, BASE_FEE_STROOPS, NATIVE, newAccount, StateLayer } from './state.ts';

const LOCAL_PASSPHRASE = 'Sliproad Local Stellar Network';
const TOTAL_STROOPS = 1_000_000_000_000_000_000n;
/** The usual time between ledgers of the public network. It applies if the options do not set an interval. */
const USUAL_CLOSE_MS = 5000;
/** A transaction is accepted only if it remains valid for this many more ledger intervals. */
const CLOSE_TIMES_AHEAD = 2;

export interface LedgerOptions {
  /** How often ledgers are expected to close, in milliseconds. 0 means that a test closes them. */
  readonly closeEveryMs?: number;
  readonly passphrase?: string;
  /** The time of the ledger's clock at the start. If absent, the clock starts at the system time. */
  readonly startMs?: number;
  /** The default is that of the public network. Transactions beyond the maximum wait for the next ledger. */
  readonly maxOperationsPerLedger?: number;
}

export class StellarLedger {
  readonly passphrase: string;
  readonly networkId: Uint8Array;
  readonly root: Keypair;
  readonly history = new LedgerHistory();
  readonly #state = new ClosedState();
  readonly #queue = new PendingQueue();
  readonly #listeners = new Set<() => void>();
  readonly #closeEveryMs: number;
  readonly #maxOperations: number;
  #aheadMs: number;
  #feePool = 0n;
  readonly #demand = new FeeDemand(this.#queue);

  constructor(options: LedgerOptions = {}) {
    this.passphrase = options.passphrase ?? LOCAL_PASSPHRASE;
    this.networkId = sha256(this.passphrase);
    this.root = Keypair.master(this.passphrase);
    this.#closeEveryMs = options.closeEveryMs ?? 0;
    this.#maxOperations = options.maxOperationsPerLedger ?? 1000;
    this.#aheadMs = (options.startMs ?? Date.now()) - Date.now();
    const first = new StateLayer(this.#state, { sequence: 1, closeTime: this.#nowSeconds() });
    first.putAccount(newAccount(this.root.publicKey(), TOTAL_STROOPS, 0n));
    this.#finish(first, []);
  }

  now(): number {
    return Date.now() + this.#aheadMs;
  }

  advance(ms: number): void {
    if (ms < 0) throw new Error('the time of a ledger never goes back');
    this.#aheadMs += ms;
  }

  /**
   * From now on ledgers are full, so a transaction with a lower fee per operation waits. If no fee is given, ledgers have space
   * again.
   */
  surge(feePerOperation?: bigint): void {
    this.#demand.surge(feePerOperation);
  }

  /**
   * As soon as a transaction waits, other users offer twice as much. They stop after this many ledgers have closed without it.
   */
  outbid(ledgers: number): void {
    this.#demand.outbid(ledgers);
  }

  get feePerOperation(): bigint {
    return this.#demand.feePerOperation;
  }

  get heldBack(): number {
    return this.#demand.heldBack;
  }

  get latest(): ClosedLedger {
    return this.history.latest;
  }

  get pendingCount(): number {
    return this.#queue.size;
  }

  decode(envelopeXdr: string): StellarEnvelope {
    return decodeEnvelope(envelopeXdr, this.networkId);
  }

  /**
   * The response of the core to a submission. The core has no history, so an envelope that was already applied gives txBadSeq.
   */
  submit(envelope: string | StellarEnvelope, options: { readonly drop?: boolean } = {}): CoreAnswer {
    const decoded = typeof envelope === 'string' ? this.decode(envelope) : envelope;
    const { sequence, closeTime } = this.latest;
    const sinceCloseMs = Math.max(0, this.now() - closeTime * 1000);
    const aheadMs = CLOSE_TIMES_AHEAD * (this.#closeEveryMs || USUAL_CLOSE_MS);
    const context = {
      state: this.#state,
      moment: { sequence, closeTime },
      waitSeconds: Math.ceil(aheadMs / 1000) + Math.floor(sinceCloseMs / 1000),
      applying: false,
    };
    return this.#queue.add(decoded, context, options.drop !== true);
  }

  /**
   * Closes the next ledger with the pending transactions. Pending transactions that have become invalid are removed without a
   * fee.
   */
  close(): ClosedLedger {
    // Many ledgers can close per second here, so two ledgers may have the same close time. The close time never goes back.
    const closeTime = Math.max(this.latest.closeTime, this.#nowSeconds());
    const moment = { sequence: this.latest.sequence + 1, closeTime };
    const context = { state: this.#state, moment, waitSeconds: 0, applying: false };
    const feePerOperation = this.#demand.close();
    const envelopes = this.#queue
      .take(this.#maxOperations, feePerOperation)
      .filter((envelope) => checkSubmission(envelope, context) === undefined);
    const layer = new StateLayer(this.#state, moment);
    const verdicts = applyTransactions(envelopes, layer, feePerOperation);
    const transactions = envelopes.map((envelope, at) => {
      this.#feePool += verdicts[at]!.feeCharged;
      return closeTransaction(envelope, verdicts[at]!, { ledger: moment.sequence, closeTime, order: at + 1 });
    });
    this.#finish(layer, transactions, feePerOperation);
    for (const listener of [...this.#listeners]) listener();
    return this.latest;
  }

  /** The ledger calls the listener after every close. The returned function removes the listener. */
  onClose(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stateAsOf(sequence: number): StateView {
    return this.#state.asOf(sequence);
  }

  account(id: string): AccountEntry | undefined {
    return this.#state.account(id);
  }

  /**
   * The balance in stroops, or in units of 1e-7 of the asset. Undefined means that the account or its trustline does not exist.
   */
  balanceOf(id: string, asset: Asset | string = NATIVE): bigint | undefined {
    const name = typeof asset === 'string' ? asset : asset.toString();
    const account = this.#state.account(id);
    return name === NATIVE ? account?.balance : account?.trustlines.get(name)?.balance;
  }

  transaction(hashHex: string): ClosedTransaction | undefined {
    return this.history.transaction(hashHex, this.latest.sequence);
  }

  /** Returns a signed transaction with the next sequence number of `source`, and does not submit it. */
  build(source: Keypair, operations: readonly xdr.Operation[], options?: BuildOptions): Transaction {
    return buildTransaction(this, source, operations, options);
  }

  /** Builds and submits a transaction and closes a ledger. Throws if the transaction failed. */
  execute(source: Keypair, operations: readonly xdr.Operation[], options?: BuildOptions): ClosedTransaction {
    return executeOperations(this, source, operations, options);
  }

  createAccounts(keypairs: readonly Keypair[], lumens?: string): void {
    createAccounts(this, keypairs, lumens);
  }

  trust(keypairs: readonly Keypair[], asset: Asset, limit?: string): void {
    addTrustlines(this, keypairs, asset, limit);
  }

  setUpToken(options?: StellarTokenOptions): SetUpToken {
    return setUpToken(this, options);
  }

  #nowSeconds(): number {
    return Math.floor(this.now() / 1000);
  }

  #finish(
    layer: StateLayer,
    transactions: readonly ClosedTransaction[],
    feePerOperation = BASE_FEE_STROOPS,
  ): void {
    this.#state.close(layer);
    const { sequence, closeTime } = layer.moment;
    const previousHash = sequence === 1 ? '0'.repeat(64) : this.latest.hash;
    const hashes = transactions.map(({ envelope }) => envelope.hashHex).join('');
    const hash = toHex(sha256(`${previousHash}${sequence} ${closeTime} ${hashes}`));
    const feePool = this.#feePool;
    this.history.add({ sequence, closeTime, hash, previousHash, feePool, feePerOperation, transactions });
  }
}
