// Reads the compiled contracts, which are committed to the repository.
import { readFileSync } from 'node:fs';
import type { Abi, Hex } from 'viem';

export interface Artefact {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
  readonly initCodeHash: Hex;
}

export type ContractName = 'Disperse' | 'Forwarder' | 'ForwarderFactory' | 'NastyToken' | 'TestToken';

const artefactsRead = new Map<ContractName, Artefact>();

export function readArtefact(name: ContractName): Artefact {
  const known = artefactsRead.get(name);
  if (known !== undefined) return known;
  const url = new URL(`../../contracts/artefacts/${name}.json`, import.meta.url);
  const found: Artefact = JSON.parse(readFileSync(url, 'utf8'));
  artefactsRead.set(name, found);
  return found;
}
