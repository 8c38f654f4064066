// Runs the cases for one planted mistake in a separate process: `node run-planted-evm.ts NAME`. The process exits with 3 if a
// case fails, and with 0 if all cases pass.
import { plant } from '../../simulation/planted/plant.ts';
import { EVM_BUGS } from './planted-evm.ts';

const RED = 3;
const [name] = process.argv.slice(2);
const bug = EVM_BUGS.find((each) => each.name === name);
if (bug === undefined) throw new Error(`there is no planted mistake ${name}`);
plant(bug);

// These files are imported only after the mistake is planted, because the mistake does not affect files that are already
// loaded.
const { LAG_CASES } = await import('../network/lags.ts');
const { EVM_LAG_CASES } = await import('./evm-lags.ts');
const { EVM_TRUST_CASES } = await import('./evm-trust.ts');
const { makeEvmHarness, stopEvmChain } = await import('./evm-network.ts');
const cases = [...LAG_CASES, ...EVM_LAG_CASES, ...EVM_TRUST_CASES].filter(({ title }) =>
  title.includes(bug.cases),
);
if (cases.length === 0) throw new Error(`there is no case "${bug.cases}"`);

let red: unknown;
for (const { run } of cases) {
  const harness = await makeEvmHarness();
  try {
    await run(harness);
  } catch (error) {
    red = error;
    break;
  } finally {
    await harness.close();
  }
}
await stopEvmChain();
if (red !== undefined) console.log(`${red}`);
process.exit(red === undefined ? 0 : RED);
