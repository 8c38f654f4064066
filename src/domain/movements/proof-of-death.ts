// Defines for every network when a signed payment counts as dead. Only then may its orders be signed again, so a mistake here
// pays twice. Only two proofs make a `DeathProof`. In the first, one answer shows that the server has read past the last block
// that could contain the payment and has not found it. In the second, another final transaction has used the payment's sequence
// number.

/** A provider's answer that the payment is absent. The same answer states how far the server of the provider had read. */
export interface Absence {
  readonly provider: string;
  /** The height in the same answer: the number of a ledger, slot or block. A height from another answer must never be used. */
  readonly observedAt: bigint;
  /**
   * The height from which the payment can no longer be included. Its unit and its provider are the same as for `observedAt`.
   */
  readonly impossibleFrom: bigint;
}

export interface Displacement {
  readonly provider: string;
  /** The sequence number (nonce) that the other transaction used. */
  readonly sequence: string;
  readonly hash: string;
  readonly innerHash: string | null;
  readonly height: bigint;
}

/** A payment that may be dead: all versions of it that were signed for one sequence number. */
export interface SignedVersions {
  readonly hashes: readonly string[];
  readonly sequence: string | null;
}

export type DeathFacts = Readonly<Record<string, string | number | null>>;

/** The number of providers that must prove a death, whatever the amount is: two, or one if only one is configured. */
export function witnessesNeeded(configured: number): number {
  return Math.min(2, configured);
}

/**
 * Proves that a payment had no effect and never will have one. The constructor is private, so that a proof cannot be made in
 * any other way.
 */
export class DeathProof {
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly #proven = true;

  private constructor(evidence: Readonly<Record<string, unknown>>) {
    this.evidence = evidence;
  }

  /** Makes a proof by absence. Undefined: the death is not proven. */
  static byAbsence(
    absences: readonly Absence[],
    configured: number,
    facts: DeathFacts = {},
  ): DeathProof | undefined {
    const beyond = absences.filter(({ observedAt, impossibleFrom }) => observedAt >= impossibleFrom);
    if (!hasEnoughProviders(beyond, configured)) return undefined;
    const shown = beyond.map(({ provider, observedAt, impossibleFrom }) => ({
      provider,
      observedAt: `${observedAt}`,
      impossibleFrom: `${impossibleFrom}`,
    }));
    return new DeathProof({ ...facts, proof: 'absent', absences: shown });
  }

  /**
   * Makes a proof by another final transaction with the same sequence number. Undefined: the death is not proven. A transaction
   * that is one of our versions, or that wraps one, is our own payment and proves nothing.
   */
  static byDisplacement(
    { hashes, sequence }: SignedVersions,
    displacements: readonly Displacement[],
    configured: number,
    facts: DeathFacts = {},
  ): DeathProof | undefined {
    const [first] = displacements;
    if (first === undefined || sequence === null) return undefined;
    const own = new Set(hashes);
    const isOther = (each: Displacement) =>
      each.sequence === sequence &&
      each.hash === first.hash &&
      !own.has(each.hash) &&
      (each.innerHash === null || !own.has(each.innerHash));
    if (!displacements.every(isOther) || !hasEnoughProviders(displacements, configured)) return undefined;
    const by = { hash: first.hash, innerHash: first.innerHash, sequence, height: `${first.height}` };
    const providers = displacements.map(({ provider }) => provider);
    return new DeathProof({ ...facts, proof: 'displaced', by, providers });
  }

  static is(value: unknown): value is DeathProof {
    return typeof value === 'object' && value !== null && #proven in value && value.#proven;
  }
}

function hasEnoughProviders(answers: readonly { readonly provider: string }[], configured: number): boolean {
  const providers = new Set(answers.map(({ provider }) => provider));
  return providers.size > 0 && providers.size >= witnessesNeeded(configured);
}
