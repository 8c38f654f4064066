// What one response of one provider is based on: the ledger, how much of it the provider has read, and the lies that a test has
// planned.
import { xdr } from '@stellar/stellar-sdk';
import type { StateView } from '../closed-state.ts';
import type { StellarEnvelope } from '../envelope.ts';
import type { RequestFacts, StellarFaults } from '../faults.ts';
import { type ClosedLedger, type ClosedTransaction, closeTransaction } from '../history.ts';
import type { StellarLedger } from '../ledger.ts';
import { untouchedResult } from '../operations/apply-operation.ts';
import type { TransactionVerdict } from '../results.ts';

/** A position after every real transaction of the ledger. */
const LAST_PLACE = 0xfffff;

export class HorizonProvider {
  readonly base: string;
  readonly ledger: StellarLedger;
  readonly faults: StellarFaults;
  readonly lag: number;

  constructor(base: string, ledger: StellarLedger, faults: StellarFaults, lag: number) {
    this.base = base;
    this.ledger = ledger;
    this.faults = faults;
    this.lag = lag;
  }

  get upTo(): number {
    return Math.max(1, this.ledger.latest.sequence - this.lag);
  }

  get latest(): ClosedLedger {
    return this.ledger.history.ledger(this.upTo)!;
  }

  get state(): StateView {
    return this.ledger.stateAsOf(this.upTo);
  }

  ingested(hash: string): ClosedTransaction | undefined {
    return this.ledger.history.transaction(hash, this.upTo);
  }

  /** The transaction that the provider shows for a hash. A fault may make it false. */
  shownTransaction(hash: string): ClosedTransaction | undefined {
    const request: RequestFacts = { url: this.base, on: 'read', hash };
    const found = this.ingested(hash);
    if (found !== undefined && this.faults.take('hide', request) !== undefined) return undefined;
    if (found?.successful === true) return found;
    const lie = this.faults.take('lie', request);
    if (lie === undefined) return found;
    const envelope =
      lie.envelopeXdr === undefined
        ? (found?.envelope ?? this.faults.seen(hash) ?? this.#blank(hash))
        : this.ledger.decode(lie.envelopeXdr);
    return this.#invented(envelope);
  }

  #invented(envelope: StellarEnvelope): ClosedTransaction {
    const { sequence: ledger, closeTime } = this.latest;
    const { inner, bump, feeBid: feeCharged } = envelope;
    const operations = inner.operations.map(untouchedResult);
    const verdict: TransactionVerdict =
      bump === undefined
        ? { code: 'txSuccess', feeCharged, operations }
        : {
            code: 'txFeeBumpInnerSuccess',
            feeCharged,
            operations,
            inner: { hash: inner.hash, code: 'txSuccess' },
          };
    return closeTransaction(envelope, verdict, { ledger, closeTime, order: LAST_PLACE });
  }

  /** A substitute for an envelope that the lying provider never received. */
  #blank(hashHex: string): StellarEnvelope {
    const source = { id: this.ledger.root.publicKey() };
    const inner = {
      hash: Buffer.from(hashHex, 'hex'),
      hashHex,
      source,
      fee: 100n,
      sequence: 1n,
      minTime: 0n,
      maxTime: 0n,
      hasTimeBounds: false,
      conditions: undefined,
      memo: xdr.Memo.memoNone(),
      operations: [],
      signatures: [],
    };
    return { xdr: '', hashHex, inner, bump: undefined, feeSource: source, feeBid: 100n, feeUnits: 1n };
  }
}
