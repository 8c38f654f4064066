// Contains everything that the parts of one simulated seed share.
import type { BankDirectory } from '../../../src/domain/catalogue/banks.ts';
import type { ApiKey, CatalogueSnapshot } from '../../../src/ports/catalogue.ts';
import type { TreasuryWatch } from '../../../src/ports/treasury.ts';
import type { Dice } from '../../support/dice.ts';
import type { Model } from '../model/model.ts';
import type { Company } from '../people/company.ts';
import type { Standstill, StandstillWatch } from '../promises/standstill.ts';
import type { Tale } from '../report/tell.ts';
import type { Recorder } from '../webhooks/record.ts';
import type { Agenda } from './agenda.ts';
import type { Faults } from './faults.ts';
import type { Outside } from './outside.ts';
import type { RailMemory, railCore } from './rails/desk.ts';

export interface Restore {
  /** The number of restores. A pending write to an earlier store is lost. */
  epoch: number;
  /** The time of the last restore; null before the first. */
  atMs: number | null;
  /** Whether movements are paused after a restore. Only the operator may resume them. */
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
  readonly rails: RailMemory;
  readonly railDesk: ReturnType<typeof railCore>;
  readonly tale: Tale;
  readonly treasuryWatch: TreasuryWatch;
  readonly keys: ApiKey[];
  readonly still: Standstill;
  readonly restore: Restore;
  readonly secondSource: { isOn: boolean };
  readonly standstill: StandstillWatch;
  /** Records every commit for the webhooks, which run after settlement. */
  readonly recorder: Recorder;
  /** What a process currently knows of the catalogue. */
  readonly catalogue: () => CatalogueSnapshot;
  /** Reports a broken promise and ends the seed. */
  readonly broken: (promise: string, detail: string, subject: string | null) => void;
}
