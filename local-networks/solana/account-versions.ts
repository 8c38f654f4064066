// Stores every account at each slot that changed it. litesvm has only the newest state. A real node can also read an older
// state of the chain, and a fork returns the chain to an older state.
import type { Address } from '@solana/kit';
import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { addressAt } from './base58.ts';

export interface LocalAccountState {
  readonly lamports: bigint;
  readonly data: Uint8Array;
  readonly owner: Address;
  readonly executable: boolean;
}

interface Version {
  readonly slot: number;
  readonly state: LocalAccountState | null;
}

const BEFORE_ALL_SLOTS = 0;
const KEPT_BEYOND_ROOT_SLOTS = 1_000;
const TOKEN_ACCOUNT_BYTES = 165;
const SYSVAR_OWNER = 'Sysvar1111111111111111111111111111111111111';

export class AccountVersions {
  private readonly versions = new Map<Address, Version[]>();
  private readonly tokenAccountsByOwner = new Map<Address, Set<Address>>();
  private readonly load: (address: Address) => LocalAccountState | null;

  /** `load` reads an account from the virtual machine if no slot has changed it. */
  constructor(load: (address: Address) => LocalAccountState | null) {
    this.load = load;
  }

  newest(address: Address): LocalAccountState | null {
    const list = this.versions.get(address);
    return list === undefined ? this.loadUntouched(address) : (list.at(-1)?.state ?? null);
  }

  at(address: Address, slot: number): LocalAccountState | null {
    const list = this.versions.get(address);
    if (list === undefined) return this.loadUntouched(address);
    return list.findLast((version) => version.slot <= slot)?.state ?? null;
  }

  changedSince(address: Address, slot: number): boolean {
    return (this.versions.get(address)?.at(-1)?.slot ?? BEFORE_ALL_SLOTS) > slot;
  }

  put(
    address: Address,
    slot: number,
    before: LocalAccountState | null,
    state: LocalAccountState | null,
  ): void {
    let list = this.versions.get(address);
    if (list === undefined) {
      list = [{ slot: BEFORE_ALL_SLOTS, state: before }];
      this.versions.set(address, list);
    }
    if (list.at(-1)?.slot === slot) list.pop();
    list.push({ slot, state });
    this.index(address, state);
    const kept = list.findLastIndex((version) => version.slot <= slot - KEPT_BEYOND_ROOT_SLOTS);
    if (kept > 0) list.splice(0, kept);
  }

  /** Changes an account at every slot, as if its state had always been so. Returns its newest state. */
  rewrite(
    address: Address,
    change: (state: LocalAccountState | null) => LocalAccountState,
  ): LocalAccountState {
    const list = this.versions.get(address) ?? [{ slot: BEFORE_ALL_SLOTS, state: this.load(address) }];
    const changed = list.map(({ slot, state }) => ({ slot, state: change(state) }));
    this.versions.set(address, changed);
    for (const { state } of changed) this.index(address, state);
    return changed.at(-1)!.state;
  }

  /** Removes every version newer than a slot. Returns the affected accounts with their state at that slot. */
  rewind(slot: number): Map<Address, LocalAccountState | null> {
    const changed = new Map<Address, LocalAccountState | null>();
    for (const [address, list] of this.versions) {
      const kept = list.findLastIndex((version) => version.slot <= slot);
      if (kept === list.length - 1) continue;
      list.splice(kept + 1);
      changed.set(address, list.at(-1)?.state ?? null);
    }
    return changed;
  }

  /** Accounts that were token accounts of this owner at some slot. The caller checks the slot that it needs. */
  tokenAccountsOf(owner: Address): Iterable<Address> {
    return this.tokenAccountsByOwner.get(owner) ?? [];
  }

  private loadUntouched(address: Address): LocalAccountState | null {
    const state = this.load(address);
    // Programs are large and never change, so they are read once. The clock changes with every slot.
    if (state !== null && state.owner !== SYSVAR_OWNER) {
      this.versions.set(address, [{ slot: BEFORE_ALL_SLOTS, state }]);
    }
    return state;
  }

  private index(address: Address, state: LocalAccountState | null): void {
    if (state?.owner !== TOKEN_PROGRAM_ADDRESS || state.data.length !== TOKEN_ACCOUNT_BYTES) return;
    const owner = addressAt(state.data, 32);
    const known = this.tokenAccountsByOwner.get(owner);
    if (known === undefined) this.tokenAccountsByOwner.set(owner, new Set([address]));
    else known.add(address);
  }
}
