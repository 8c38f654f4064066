// The file in which an operator describes the networks on which real tokens move. It is read whole and strictly: a mistake
// stops the start, names the file, the network and the field, and repeats nothing that may be a key.
import { readFile } from 'node:fs/promises';
import { fieldsOf, NetworkSettingsError, refuseUnknown, text } from './fields.ts';
import { parseJson } from './json.ts';
import { type ConfiguredNetwork, readNetwork } from './row.ts';
import type { NetworkSettings } from './settings.ts';
import { faucetIn } from './urls.ts';

export { type ConfiguredNetwork, NetworkSettingsError };

export interface NetworksFile {
  readonly networks: readonly ConfiguredNetwork[];
  /** The URL of the faucet: only local networks have one. */
  readonly faucet: string | null;
  /** Which run of the chains it is, when chains with the same settings are made anew: only local networks have it. */
  readonly instance: string | null;
}

/** Rejects with a NetworkSettingsError. */
export async function readNetworksFile(location: string): Promise<NetworksFile> {
  const problem = (what: string) => new NetworkSettingsError(`The networks file ${location}: ${what}`);
  let bytes: Uint8Array;
  try {
    bytes = await readFile(location);
  } catch (error) {
    throw problem(`it cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  let content: string;
  try {
    content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw problem('it is not text in UTF-8.');
  }
  try {
    return parseNetworks(content);
  } catch (error) {
    if (error instanceof NetworkSettingsError) throw problem(error.message);
    throw error;
  }
}

const FILE_FIELDS = ['networks', 'faucet', 'instance'] as const;
const INSTANCE = { pattern: /^[\w.:-]{1,100}$/, what: 'a name of up to 100 letters and digits, or null' };
const WHOLE_FILE = 'The whole file';

/** Throws a NetworkSettingsError that names the network and the field. */
export function parseNetworks(content: string): NetworksFile {
  const fields = fieldsOf<(typeof FILE_FIELDS)[number]>(parseJson(content), WHOLE_FILE);
  refuseUnknown(fields, FILE_FIELDS, WHOLE_FILE);
  const rows = fields.value('networks');
  if (!Array.isArray(rows)) throw fields.problem('networks', 'must be a list of networks');
  const networks = rows.map(readNetwork);
  refuseRepeats(networks.map(({ settings }) => settings));
  return {
    networks,
    faucet: faucetIn(fields),
    instance: (fields.value('instance') ?? null) === null ? null : text(fields, 'instance', INSTANCE),
  };
}

function refuseRepeats(networks: readonly NetworkSettings[]): void {
  const byName = new Map<string, NetworkSettings>();
  const byWallet = new Map<string, NetworkSettings>();
  for (const settings of networks) {
    const name = `${settings.mode} ${settings.name.toLowerCase()}`;
    if (byName.has(name))
      throw new NetworkSettingsError(`${titleOf(settings)} is listed twice. Remove one of the two.`);
    byName.set(name, settings);
    const wallet = `${settings.key} ${settings.family} ${chainOf(settings)}`;
    const other = byWallet.get(wallet);
    if (other !== undefined) {
      throw new NetworkSettingsError(
        `${titleOf(settings)} and ${titleOf(other)} have the same "key" on the same chain. Each would treat the other's ` +
          'payments and deposits as its own: give each a key of its own.',
      );
    }
    byWallet.set(wallet, settings);
  }
}

const titleOf = ({ name, mode }: NetworkSettings): string => `${name} (${mode})`;

/** The identity of the chain by the settings alone: two chains with one id would accept each other's signed bytes, too. */
function chainOf(settings: NetworkSettings): string {
  if (settings.family === 'evm') return `${settings.chainId}`;
  return settings.family === 'stellar' ? settings.passphrase : settings.token;
}
