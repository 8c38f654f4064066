// Tests that the simulated networks pass the contract of a network, both in memory and in PostgreSQL.
import { NETWORK_ROWS } from '../../../src/adapters/networks/registry.ts';
import { networkContract } from '../network/suite.ts';
import { makeSimulatedHarness } from './simulated-network.ts';
import { inMemory, inPostgres, makeStages } from './simulated-world.ts';

for (const { name } of NETWORK_ROWS) {
  const stages = makeStages(inMemory());
  networkContract(`${name} in memory`, () => makeSimulatedHarness(stages(), name));
}
const postgres = await inPostgres();
// The test takes one network of each kind: with memos and trustlines, and without them.
for (const name of ['Stellar', 'Polygon']) {
  const stages = makeStages(postgres);
  networkContract(`${name} in PostgreSQL`, () => makeSimulatedHarness(stages(), name));
}
