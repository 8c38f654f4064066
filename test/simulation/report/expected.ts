// The failures that a simulated process must expect: those of the outside world. Any other exception of a use case is a bug of
// ours.
import { ConnectionLost } from '../../../src/adapters/simulation/simulation.ts';
import { StoreUnavailable } from '../../../src/ports/store/store.ts';

export function expected(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof ConnectionLost;
}
