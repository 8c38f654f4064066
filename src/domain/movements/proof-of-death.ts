// When signed bytes count as dead, stated once for every network. Only then may their orders be signed again, so a
// mistake here pays twice. There are two proofs and no third: an answer that shows the bytes are not there and names how
// far its own server had read, beyond the last block where they could be; or another final transaction with their sequence number.
// A `DeathProof` can be made in no other way.

/** One provider's answer that the bytes are not there. The answer itself says how far its server had read. */
export interface Absence {
  readonly provider: string;
  /** The height that this very answer names: a ledger, slot or block number. Never a height from another answer. */
  readonly observedAt: bigint;
  /** The height from which the bytes can no longer be included, in the same unit and from the same provider. */
  readonly impossibleFrom: bigint;
}

/** One provider's answer that another final transaction used the sequence number of the bytes. */
export interface Displacement {
  readonly provider: string;
  /** The sequence number (nonce) it used. */
  readonly sequence: string;
  readonly hash: string;
  /** The hash of the inner transaction (of a fee bump), where a network has such a thing. */
  readonly innerHash: string | null;
  /** The height it is final at. */
  readonly height: bigint;
}

/** The bytes that may be dead: every version that was signed for one sequence number. */
export interface SignedVersions {
  readonly hashes: readonly string[];
  readonly sequence: string | null;
}

/** Facts for people who look at the record later. */
export type DeathFacts = Readonly<Record<string, string | number | null>>;

/** The number of providers that must prove a death, whatever the amount: two wherever two are configured. */
export function witnessesNeeded(configured: number): number {
  return Math.min(2, configured);
}

/** The proof that bytes did nothing and never will. The private constructor keeps every other claim out. */
export class DeathProof {
  readonly evidence: Readonly<Record<string, unknown>>;
  readonly #proven = true;

  private constructor(evidence: Readonly<Record<string, unknown>>) {
    this.evidence = evidence;
  }

  /** Undefined: it is not proven. */
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

  /** A proof by another final transaction with the same sequence number; undefined: it is not proven. That transaction is our own payment if it is, or wraps, one of our versions. */
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

  /** Whether something that came from elsewhere was made here. */
  static is(value: unknown): value is DeathProof {
    return typeof value === 'object' && value !== null && #proven in value && value.#proven;
  }
}

function hasEnoughProviders(answers: readonly { readonly provider: string }[], configured: number): boolean {
  const providers = new Set(answers.map(({ provider }) => provider));
  return providers.size > 0 && providers.size >= witnessesNeeded(configured);
}
