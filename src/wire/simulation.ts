// Opens the simulated world of test mode: the bank and the networks on this database, and the controls for testers.
import { makeSimulatedNetworks } from '../adapters/networks/registry.ts';
import type { SimulatedNetwork } from '../adapters/networks/simulated/network.ts';
import type { Database } from '../adapters/postgres/connection/database.ts';
import { makeSimulatedBank, type SimulatedBank } from '../adapters/rails/simulated/bank.ts';
import { openPostgresWorld } from '../adapters/simulation/postgres-world.ts';
import { makeSandbox } from '../adapters/simulation/sandbox.ts';
import { makeSimulation } from '../adapters/simulation/simulation.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../ports/clock.ts';
import type { Plays, Sandbox } from '../ports/sandbox.ts';

export interface SimulationParts {
  readonly bank: SimulatedBank;
  readonly networks: readonly SimulatedNetwork[];
  readonly sandbox: Sandbox;
  readonly plays: Plays;
  drain(): Promise<void>;
}

export function openSimulation(config: Config, database: Database, clock: Clock): SimulationParts {
  const world = openPostgresWorld(database);
  const simulation = makeSimulation({ world, clock, options: config.sandbox });
  const bank = makeSimulatedBank(simulation);
  const networks = makeSimulatedNetworks({ offCurve: config.offCurveWallets }, simulation);
  return {
    bank,
    networks,
    sandbox: makeSandbox(bank, networks),
    plays: world.plays,
    drain: () => world.drain(),
  };
}
