// Which failures a simulated process may meet: those of the outside. Anything else a use-case throws is a mistake of ours.
import { ConnectionLost } from '../../../src/adapters/simulation/simulation.ts';
import { StoreUnavailable } from '../../../src/ports/store/store.ts';

export function expected(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof ConnectionLost;
}
