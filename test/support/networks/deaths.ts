// A death as one provider proves it, for tests of what follows from one.
import { Death } from '../../../src/domain/movements/proof-of-death.ts';

export const DEATH: Death = Death.byAbsence(
  [{ provider: 'a provider', observedAt: 2n, impossibleFrom: 1n }],
  1,
)!;
