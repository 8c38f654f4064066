// Decides which of several numbers agree. It removes the number farthest from the median and computes the median again, so that
// a wrong number is excluded before correct numbers are judged. The remaining numbers must be the majority, so two groups of
// equal size do not agree.

export interface Vote {
  readonly valueE4: bigint;
  /** A number that two people confirmed has two votes. */
  readonly weight: number;
}

export interface RateAgreement<V extends Vote> {
  readonly used: readonly V[];
  readonly outliers: readonly V[];
  /** The median of the used numbers. Null: there is no majority, so no number is used. */
  readonly medianE4: bigint | null;
  /**
   * The value with which messages compare outliers. It is the median of the used numbers or, without a majority, the median of
   * all numbers.
   */
  readonly comparedWithE4: bigint;
}

/** Finds the numbers that agree. There must be at least one vote. */
export function findAgreement<V extends Vote>(votes: readonly V[]): RateAgreement<V> {
  let used = votes;
  for (;;) {
    const far = farthestOutliers(used);
    if (far.size === 0) break;
    used = used.filter((vote) => !far.has(vote));
  }
  if (sumWeights(used) * 2 <= sumWeights(votes)) {
    return { used: [], outliers: votes, medianE4: null, comparedWithE4: medianOf(votes) };
  }
  const medianE4 = medianOf(used);
  return {
    used,
    outliers: votes.filter((vote) => !used.includes(vote)),
    medianE4,
    comparedWithE4: medianE4,
  };
}

export function sumWeights(votes: readonly { readonly weight: number }[]): number {
  return votes.reduce((sum, { weight }) => sum + weight, 0);
}

/**
 * Finds the votes farthest from the median, if they are more than 2 % from it. Exactly 2 % is allowed. Both sides of the
 * comparison are doubled, because a median may lie between two numbers.
 */
function farthestOutliers<V extends Vote>(votes: readonly V[]): ReadonlySet<V> {
  if (votes.length < 2) return new Set();
  const doubledMedian = doubledMedianOf(votes);
  const distances = votes.map(({ valueE4 }) => distance(valueE4 * 2n, doubledMedian));
  const far = distances.reduce((farthest, each) => (each > farthest ? each : farthest));
  if (far * 50n <= doubledMedian) return new Set();
  return new Set(votes.filter((_, index) => distances[index] === far));
}

/** The middle number, or the mean of the two middle numbers, rounded half up. */
function medianOf(votes: readonly Vote[]): bigint {
  return (doubledMedianOf(votes) + 1n) / 2n;
}

function doubledMedianOf(votes: readonly Vote[]): bigint {
  const sorted: bigint[] = [];
  for (const { valueE4, weight } of votes) for (let vote = 0; vote < weight; vote++) sorted.push(valueE4);
  sorted.sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const middle = sorted.length >> 1;
  const upper = sorted[middle]!;
  return sorted.length % 2 === 1 ? upper * 2n : sorted[middle - 1]! + upper;
}

export function isJump(valueE4: bigint, baseE4: bigint): boolean {
  return distance(valueE4, baseE4) * 20n > baseE4;
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}
