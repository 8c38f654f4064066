// When a signed payment counts as dead, defined once for every network. Only then may its orders be signed again, so a mistake
// here pays twice. There are exactly two proofs: one answer shows that the server has read past the last block that could contain
// the payment and has not found it, or another final transaction has used the payment's sequence number. There is no other way to
// make a `DeathProof`.

/** A provider's answer that the payment is absent. The same answer states how far the provider's server had read. */
export interface Absence {
  readonly provider: string;
  /** The height in the same answer: a ledger, slot or block number. It is never a height from another answer. */
  readonly observedAt: bigint;
  /** The height from which the payment can no longer be included, in the same unit and from the same provider. */
  readonly impossibleFrom: bigint;
}

/** A provider's answer that another final transaction used the sequence number of the payment. */
export interface Displacement {
  readonly provider: string;
  /** The sequence number (nonce) that the transaction used. */
  readonly sequence: string;
  readonly hash: string;
  /** The hash of the inner transaction of a fee bump, if the network has fee bumps. */
  readonly innerHash: string | null;
  /** The height at which the transaction is final. */
  readonly height: bigint;
}

/** The payment that may be dead: every version that was signed for one sequence number. */
export interface SignedVersions {
  readonly hashes: readonly string[];
  readonly sequence: string | null;
}

/** Facts for people who read the record later. */
export type DeathFacts = Readonly<Record<string, string | number | null>>;

/** The number of providers that must prove a death, for any amount: two if two are configured. */
export function witnessesNeeded(configured: number): number {
  return Math.min(2, configured);
}

/** The proof that a payment had no effect and never will. The private constructor prevents any other way to make a proof. */
export class DeathProof {
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly #proven = true;

  private constructor(evidence: Readonly<Record<string, unknown>>) {
    this.evidence = evidence;
  }

  /** A proof by absence; undefined: the death is not proven. */
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
   * A proof by another final transaction with the same sequence number; undefined: not proven. A transaction that is one of our
   * versions, or wraps one, is our own payment and proves nothing.
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

  /** Whether this class made the value. */
  static is(value: unknown): value is DeathProof {
    return typeof value === 'object' && value !== null && #proven in value && value.#proven;
  }
}

function hasEnoughProviders(answers: readonly { readonly provider: string }[], configured: number): boolean {
  const providers = new Set(answers.map(({ provider }) => provider));
  return providers.size > 0 && providers.size >= witnessesNeeded(configured);
}
