// The entries of a Stellar ledger (accounts with their trustlines, claimable balances) and the layers that change them. An
// entry itself never changes. A layer contains new versions until it is committed or discarded.
import type { xdr } from '@stellar/stellar-sdk';

export const BASE_FEE_STROOPS = 100n;
export const BASE_RESERVE_STROOPS = 5_000_000n;
export const INT64_MAX = (1n << 63n) - 1n;
export const NATIVE = 'native';

export interface TrustlineEntry {
  readonly asset: string;
  readonly balance: bigint;
  readonly limit: bigint;
  readonly authorized: boolean;
  readonly clawback: boolean;
  readonly modifiedLedger: number;
}

export interface SigningThresholds {
  readonly low: number;
  readonly med: number;
  readonly high: number;
}

export interface AccountEntry {
  readonly id: string;
  readonly balance: bigint;
  readonly sequence: bigint;
  readonly sequenceLedger: number;
  readonly sequenceTime: number;
  readonly masterWeight: number;
  readonly thresholds: SigningThresholds;
  readonly flags: number;
  readonly homeDomain: string;
  /** The weight of each signer by its ed25519 account id. The master key is not in this map. */
  readonly signers: ReadonlyMap<string, number>;
  readonly data: ReadonlyMap<string, Uint8Array>;
  /** The key is the asset as "CODE:ISSUER". */
  readonly trustlines: ReadonlyMap<string, TrustlineEntry>;
  /** Reserves that this account pays for entries of other accounts: one per claimant of its claimable balances. */
  readonly sponsoring: number;
  readonly modifiedLedger: number;
  readonly modifiedTime: number;
}

export interface Claimant {
  readonly account: string;
  readonly predicate: xdr.ClaimPredicate;
}

export interface ClaimableBalance {
  readonly id: string;
  readonly asset: string;
  readonly amount: bigint;
  readonly claimants: readonly Claimant[];
  readonly sponsor: string;
  readonly modifiedLedger: number;
  readonly modifiedTime: number;
}

export interface LedgerMoment {
  readonly sequence: number;
  readonly closeTime: number;
}

export interface StateReader {
  account(id: string): AccountEntry | undefined;
  claimable(id: string): ClaimableBalance | undefined;
}

export function countSubentries(account: AccountEntry): number {
  return account.trustlines.size + account.signers.size + account.data.size;
}

/** The minimum balance of an account in stroops, with `more` additional reserves. */
export function minimumBalance(account: AccountEntry, more = 0): bigint {
  return BigInt(2 + countSubentries(account) + account.sponsoring + more) * BASE_RESERVE_STROOPS;
}

export function spendableStroops(account: AccountEntry): bigint {
  return account.balance - minimumBalance(account);
}

export function newAccount(id: string, balance: bigint, sequence: bigint): AccountEntry {
  return {
    id,
    balance,
    sequence,
    sequenceLedger: 0,
    sequenceTime: 0,
    masterWeight: 1,
    thresholds: { low: 0, med: 0, high: 0 },
    flags: 0,
    homeDomain: '',
    signers: new Map(),
    data: new Map(),
    trustlines: new Map(),
    sponsoring: 0,
    modifiedLedger: 0,
    modifiedTime: 0,
  };
}

/** Changes on top of another state. `undefined` in a map means that this layer removes the entry. */
export class StateLayer implements StateReader {
  readonly accounts = new Map<string, AccountEntry | undefined>();
  readonly claimables = new Map<string, ClaimableBalance | undefined>();
  readonly moment: LedgerMoment;
  readonly #below: StateReader;

  constructor(below: StateReader, moment: LedgerMoment) {
    this.#below = below;
    this.moment = moment;
  }

  account(id: string): AccountEntry | undefined {
    return this.accounts.has(id) ? this.accounts.get(id) : this.#below.account(id);
  }

  claimable(id: string): ClaimableBalance | undefined {
    return this.claimables.has(id) ? this.claimables.get(id) : this.#below.claimable(id);
  }

  putAccount(account: AccountEntry): void {
    const { sequence, closeTime } = this.moment;
    this.accounts.set(account.id, { ...account, modifiedLedger: sequence, modifiedTime: closeTime });
  }

  putTrustline(account: AccountEntry, line: TrustlineEntry): void {
    const trustlines = new Map(account.trustlines);
    trustlines.set(line.asset, { ...line, modifiedLedger: this.moment.sequence });
    this.putAccount({ ...account, trustlines });
  }

  removeAccount(id: string): void {
    this.accounts.set(id, undefined);
  }

  putClaimable(balance: ClaimableBalance): void {
    const { sequence, closeTime } = this.moment;
    this.claimables.set(balance.id, { ...balance, modifiedLedger: sequence, modifiedTime: closeTime });
  }

  removeClaimable(id: string): void {
    this.claimables.set(id, undefined);
  }

  commitTo(below: StateLayer): void {
    for (const [id, account] of this.accounts) below.accounts.set(id, account);
    for (const [id, balance] of this.claimables) below.claimables.set(id, balance);
  }
}
