// A death as one provider proves it, for tests of what follows from one.
import { DeathProof } from '../../../src/domain/movements/proof-of-death.ts';

export const DEATH: DeathProof = DeathProof.byAbsence(
  [{ provider: 'a provider', observedAt: 2n, impossibleFrom: 1n }],
  1,
)!;
