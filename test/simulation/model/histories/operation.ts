// Defines one operation on the store or the desk, as data. The tests apply it to the model and to PostgreSQL.
import type { SyncCore } from '../model.ts';
import type { World } from './world.ts';

export type Verb = Exclude<keyof SyncCore, 'put' | 'write' | 'openAccounts' | 'addKey'>;

export interface Operation {
  readonly verb: Verb;
  readonly given: readonly unknown[];
}

export type Maker = (world: World) => Operation;

export function op<Named extends Verb>(verb: Named, ...given: Parameters<SyncCore[Named]>): Operation {
  return { verb, given };
}
