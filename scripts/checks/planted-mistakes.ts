// Checks that every planted mistake still fits the code: its function, the snippet in that function, and the names that the new
// code uses. The check applies the mistakes in memory and does not run them. The tests that must catch them are in
// test/simulation/planted and test/contract.
import { EVM_BUGS } from '../../test/contract/evm/planted-evm.ts';
import { SOLANA_BUGS } from '../../test/contract/solana/planted-solana.ts';
import { PLANTED_STELLAR } from '../../test/contract/stellar/planted-stellar.ts';
import { findStale } from '../../test/simulation/planted/apply.ts';
import { BUGS } from '../../test/simulation/planted/bugs.ts';
import { readSources } from '../../test/simulation/planted/sources.ts';

export function findStaleMistakes(): readonly string[] {
  return findStale([...BUGS, ...EVM_BUGS, ...SOLANA_BUGS, ...PLANTED_STELLAR], readSources());
}
