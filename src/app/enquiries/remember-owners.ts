// Answers of banks about accounts, kept in the memory of this process for some minutes: the same question is not put to a bank
// again and again. The memory is bounded, and nothing of it is written down.

export type KnownOwner =
  | { readonly kind: 'found'; readonly name: string; readonly atMs: number }
  | { readonly kind: 'no_account'; readonly atMs: number };

export interface OwnerMemory {
  find(account: string, atMs: number): KnownOwner | undefined;
  keep(account: string, owner: KnownOwner): void;
}

const FOUND_MS = 5 * 60_000;
/** An account that is opened now must be found soon. */
const NOT_FOUND_MS = 60_000;
const MOST = 10_000;

export function makeOwnerMemory(most = MOST): OwnerMemory {
  const known = new Map<string, KnownOwner>();
  return {
    find: (account, atMs) => {
      const owner = known.get(account);
      if (owner === undefined) return undefined;
      const keptMs = owner.kind === 'found' ? FOUND_MS : NOT_FOUND_MS;
      if (atMs - owner.atMs < keptMs) return owner;
      known.delete(account);
      return undefined;
    },
    keep: (account, owner) => {
      known.delete(account);
      known.set(account, owner);
      // The oldest goes: a Map keeps the order in which its entries were added.
      if (known.size > most) known.delete(known.keys().next().value!);
    },
  };
}
