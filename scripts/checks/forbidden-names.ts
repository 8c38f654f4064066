// Lists the names that must not appear in domain and app: those of every network, and of every bank in the directory.
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { NETWORK_ROWS } from '../../src/adapters/networks/registry.ts';

/** Short aliases are also everyday words or parts of other names, so they would only cause false alarms. */
const SHORTEST = 6;

export function listForbiddenNames(): string[] {
  const banks = loadBankDirectory().all.flatMap(({ name, aliases }) => [name, ...aliases]);
  return [
    ...NETWORK_ROWS.map(({ name }) => name),
    ...banks.filter((name) => name.length >= SHORTEST && / /.test(name)),
  ];
}
