// Everything the parts of one simulated seed share.
import type { BankDirectory } from '../../../src/domain/catalogue/banks.ts';
import type { ApiKey, CatalogueSnapshot } from '../../../src/ports/catalogue.ts';
import type { TreasuryWatch } from '../../../src/ports/treasury.ts';
import type { Dice } from '../../support/dice.ts';
import type { Model } from '../model/model.ts';
import type { Company } from '../people/company.ts';
import type { Standstill, StandstillWatch } from '../promises/standstill.ts';
import type { Tale } from '../report/tale.ts';
import type { Recorder } from '../webhooks/record.ts';
import type { Agenda } from './agenda.ts';
import type { Faults } from './faults.ts';
import type { Outside } from './outside.ts';
import type { railCore } from './rails/desk.ts';
import type { RailMemory } from './rails/memory.ts';

/** A restore of the database from a backup. */
export interface Restore {
  /** How often the store came back: a write that was on its way to the one before is lost with it. */
  epoch: number;
  /** When it came back last. */
  atMs: number | null;
  /** Movements are paused, and only the operator may let them go on. */
  holds: boolean;
}

export interface Setting {
  readonly seed: string;
  readonly agenda: Agenda;
  readonly dice: Dice;
  readonly faults: Faults;
  readonly company: Company;
  readonly directory: BankDirectory;
  readonly model: Model;
  readonly outside: Outside;
  /** What the operator and the health check set about rails. */
  readonly rails: RailMemory;
  readonly railDesk: ReturnType<typeof railCore>;
  readonly tale: Tale;
  readonly treasuryWatch: TreasuryWatch;
  /** The key each business asks with now. */
  readonly keys: ApiKey[];
  readonly still: Standstill;
  readonly restore: Restore;
  /** Whether a second source reports on the accounts of the vendors. */
  readonly secondSource: { isOn: boolean };
  readonly standstill: StandstillWatch;
  /** Notes every commit for the webhooks, which run after settlement. */
  readonly recorder: Recorder;
  /** What a process knows of the catalogue now. */
  readonly catalogue: () => CatalogueSnapshot;
  /** A promise is broken: the seed ends here. */
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}
