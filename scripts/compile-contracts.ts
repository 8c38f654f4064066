// Compiles the contracts and writes contracts/artefacts, which services and tests deploy. The same sources and compiler give
// the same bytes. scripts/contracts.test.ts compares the committed files with them.
import { globSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import solc from 'solc';
import { keccak256 } from 'viem';

const root = path.dirname(import.meta.dirname);
const SOURCES = path.join(root, 'contracts');
export const ARTEFACTS = path.join(SOURCES, 'artefacts');

/**
 * The version is shanghai, because all target networks have supported it for years. The code has no metadata at its end. A
 * changed comment must not change the init code, because every deposit address depends on it.
 */
const SETTINGS = {
  evmVersion: 'shanghai',
  optimizer: { enabled: true, runs: 10_000 },
  viaIR: false,
  metadata: { appendCBOR: false, bytecodeHash: 'none' },
};

interface CompiledContract {
  readonly abi: readonly unknown[];
  readonly metadata: string;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode: { readonly object: string };
  };
}

interface Output {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  readonly contracts: Readonly<Record<string, Readonly<Record<string, CompiledContract>>>>;
}

export function compileContracts(): ReadonlyMap<string, string> {
  const names = globSync('**/*.sol', { cwd: SOURCES }).map((name) => name.replaceAll(path.sep, '/'));
  const sources = Object.fromEntries(
    names.sort().map((name) => [name, { content: readFileSync(path.join(SOURCES, name), 'utf8') }]),
  );
  const outputSelection = {
    '*': { '*': ['abi', 'metadata', 'evm.bytecode.object', 'evm.deployedBytecode.object'] },
  };
  const input = { language: 'Solidity', sources, settings: { ...SETTINGS, outputSelection } };
  const output: Output = JSON.parse(solc.compile(JSON.stringify(input)));
  // Warnings count too, so people must fix them.
  if (output.errors?.length) throw new Error(output.errors.map((each) => each.formattedMessage).join('\n'));

  const artefacts = Object.entries(output.contracts).flatMap(([source, contracts]) =>
    Object.entries(contracts)
      // Leaves out interfaces, and libraries that are part of the contract that uses them.
      .filter(([name, { abi }]) => abi.length > 0 && name === path.basename(source, '.sol'))
      .map(([name, compiled]) => [`${name}.json`, artefactOf(name, compiled)] as const),
  );
  return new Map(artefacts.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function artefactOf(name: string, { abi, evm, metadata }: CompiledContract): string {
  const bytecode = `0x${evm.bytecode.object}` as const;
  const sources: Readonly<Record<string, { readonly keccak256: string }>> = JSON.parse(metadata).sources;
  const artefact = {
    contract: name,
    sourcesKeccak256: Object.fromEntries(
      Object.entries(sources).map(([source, { keccak256 }]) => [source, keccak256]),
    ),
    compiler: solc.version(),
    settings: SETTINGS,
    initCodeHash: keccak256(bytecode),
    abi,
    bytecode,
    deployedBytecode: `0x${evm.deployedBytecode.object}`,
  };
  return `${JSON.stringify(artefact, null, 2)}\n`;
}

function writeArtefacts(): void {
  const artefacts = compileContracts();
  mkdirSync(ARTEFACTS, { recursive: true });
  for (const name of readdirSync(ARTEFACTS)) {
    if (!artefacts.has(name)) rmSync(path.join(ARTEFACTS, name));
  }
  for (const [name, text] of artefacts) writeFileSync(path.join(ARTEFACTS, name), text);
  console.log([...artefacts.keys()].join(', '));
}

if (import.meta.main) writeArtefacts();
