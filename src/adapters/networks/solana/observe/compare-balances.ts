// Whether the transactions that are listed for an account explain its balance to the unit. Each of them says what the account held
// before and after: the first has to find what was held at the position before, each what the one before it left, and the balance
// itself, which comes from another server, has to be what the last one left.
/** What one transaction did to the account. */
export interface BalanceChange {
  readonly slot: bigint;
  readonly beforeMinor: bigint;
  readonly afterMinor: bigint;
}

/** What the account holds at a final block. */
export interface HeldBalance {
  readonly slot: bigint;
  readonly heldMinor: bigint;
}

export interface BalanceComparison {
  /** What the account held at the new position; null where that is not known yet. */
  readonly heldMinor: bigint | null;
  /** What is not explained, the largest shortage first; null where nothing can be compared yet. */
  readonly unlistedMinor: bigint | null;
}

/** `startMinor`: what was held at the old position, null where it is not known. `passed`: the slot of the new one. */
export function compareBalances(
  startMinor: bigint | null,
  changes: readonly BalanceChange[],
  balances: readonly HeldBalance[],
  passed: bigint,
): BalanceComparison {
  const slots = [...Map.groupBy(changes, ({ slot }) => slot)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  let heldMinor = startMinor;
  const differences: bigint[] = [];
  /** What was held after each slot. */
  const after: { readonly slot: bigint; readonly heldMinor: bigint }[] = [];
  for (const [slot, own] of slots) {
    const foundMinor = balanceBeforeSlot(own, heldMinor);
    if (heldMinor !== null && foundMinor !== heldMinor) differences.push(foundMinor - heldMinor);
    heldMinor = foundMinor + sumOf(own);
    after.push({ slot, heldMinor });
  }
  const heldAt = (slot: bigint) => after.findLast((each) => each.slot <= slot)?.heldMinor ?? startMinor;
  for (const balance of balances) {
    const expectedMinor = heldAt(balance.slot);
    if (expectedMinor !== null) differences.push(balance.heldMinor - expectedMinor);
  }
  const known = heldAt(passed) ?? firstBalance(after, balances);
  return { heldMinor: known, unlistedMinor: differences.length === 0 ? null : worstDifference(differences) };
}

/** Without a change since the position, what is held now was held then. */
function firstBalance(after: readonly unknown[], balances: readonly HeldBalance[]): bigint | null {
  return after.length === 0 ? (balances[0]?.heldMinor ?? null) : null;
}

/** What was held before a slot: servers may list the transactions of one slot in any order. */
function balanceBeforeSlot(own: readonly BalanceChange[], expectedMinor: bigint | null): bigint {
  const sumMinor = sumOf(own);
  const fits = own.filter(({ beforeMinor }) =>
    own.some(({ afterMinor }) => afterMinor === beforeMinor + sumMinor),
  );
  const first = fits.find(({ beforeMinor }) => beforeMinor === expectedMinor) ?? fits[0] ?? own[0]!;
  return first.beforeMinor;
}

function sumOf(own: readonly BalanceChange[]): bigint {
  return own.reduce((sum, { beforeMinor, afterMinor }) => sum + afterMinor - beforeMinor, 0n);
}

/** A shortage before a surplus, and the larger before the smaller. */
function worstDifference(differences: readonly bigint[]): bigint {
  const lowest = differences.reduce((a, b) => (b < a ? b : a));
  const highest = differences.reduce((a, b) => (b > a ? b : a));
  return lowest < 0n ? lowest : highest;
}
