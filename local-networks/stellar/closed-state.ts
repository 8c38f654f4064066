// The state after the last closed ledger and after earlier ledgers. Each close keeps the replaced values, so that a lagging
// provider can show an older ledger.
import type { AccountEntry, ClaimableBalance, StateLayer, StateReader } from './state.ts';

interface ReplacedEntries {
  readonly accounts: ReadonlyMap<string, AccountEntry | undefined>;
  readonly claimables: ReadonlyMap<string, ClaimableBalance | undefined>;
}

/** How many ledgers back the state can be read. */
const KEPT_LEDGERS = 1000;

function replaceEntries<T>(current: Map<string, T>, changes: ReadonlyMap<string, T | undefined>) {
  const replaced = new Map<string, T | undefined>();
  for (const [id, next] of changes) {
    replaced.set(id, current.get(id));
    if (next === undefined) current.delete(id);
    else current.set(id, next);
  }
  return replaced;
}

export interface StateView extends StateReader {
  allAccounts(): Iterable<AccountEntry>;
  allClaimables(): Iterable<ClaimableBalance>;
}

export class ClosedState implements StateView {
  readonly #accounts = new Map<string, AccountEntry>();
  readonly #claimables = new Map<string, ClaimableBalance>();
  /** The key is the sequence of the ledger that replaced the entries. */
  readonly #replaced = new Map<number, ReplacedEntries>();
  #latest = 0;

  account(id: string): AccountEntry | undefined {
    return this.#accounts.get(id);
  }

  claimable(id: string): ClaimableBalance | undefined {
    return this.#claimables.get(id);
  }

  allAccounts(): Iterable<AccountEntry> {
    return this.#accounts.values();
  }

  allClaimables(): Iterable<ClaimableBalance> {
    return this.#claimables.values();
  }

  close(changes: StateLayer): void {
    this.#latest = changes.moment.sequence;
    this.#replaced.set(this.#latest, {
      accounts: replaceEntries(this.#accounts, changes.accounts),
      claimables: replaceEntries(this.#claimables, changes.claimables),
    });
    this.#replaced.delete(this.#latest - KEPT_LEDGERS);
  }

  asOf(sequence: number): StateView {
    if (sequence >= this.#latest) return this;
    const accounts = new Map<string, AccountEntry | undefined>();
    const claimables = new Map<string, ClaimableBalance | undefined>();
    // The loop goes from the newest to the oldest ledger, so that the oldest replaced version remains.
    for (let at = this.#latest; at > sequence; at--) {
      const replaced = this.#replaced.get(at);
      if (replaced === undefined) throw new Error(`ledger ${sequence} is too far back to answer as of it`);
      for (const [id, account] of replaced.accounts) accounts.set(id, account);
      for (const [id, balance] of replaced.claimables) claimables.set(id, balance);
    }
    const pick = <T>(older: Map<string, T | undefined>, now: ReadonlyMap<string, T>) => ({
      one: (id: string) => (older.has(id) ? older.get(id) : now.get(id)),
      all: () => [...new Set([...now.keys(), ...older.keys()])],
    });
    const a = pick(accounts, this.#accounts);
    const c = pick(claimables, this.#claimables);
    const present = <T>(value: T | undefined): value is T => value !== undefined;
    return {
      account: a.one,
      claimable: c.one,
      allAccounts: () => a.all().map(a.one).filter(present),
      allClaimables: () => c.all().map(c.one).filter(present),
    };
  }
}
