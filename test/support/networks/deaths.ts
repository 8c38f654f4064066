// A proof from one provider that a transaction is dead, for tests of what the service does then.
import { DeathProof } from '../../../src/domain/movements/proof-of-death.ts';

export const DEATH: DeathProof = DeathProof.byAbsence(
  [{ provider: 'a provider', observedAt: 2n, impossibleFrom: 1n }],
  1,
)!;
