// Reads the file in which an operator describes the networks with real tokens. A mistake stops the start. The message names the
// file, the network and the field, and repeats no value that may be a key.
import { Type } from 'typebox';
import { type Path, SettingsProblems } from '../../settings-problems.ts';
import {
  isOnThisMachine,
  listOf,
  nullableSchema,
  objectSchema,
  parseSettings,
  parseUrl,
  readBySchema,
  readTextFile,
  textSchema,
  withRule,
} from '../../settings-reader.ts';
import { type ConfiguredNetwork, readNetwork, titleIn } from './network-row.ts';
import type { NetworkSettings } from './settings.ts';

export type { ConfiguredNetwork };

export interface NetworksFile {
  readonly networks: readonly ConfiguredNetwork[];
  /** The URL of the faucet. Only local networks have a faucet. */
  readonly faucet: string | null;
  /**
   * The name of the current run of the chains. It distinguishes chains that are created again with the same settings. Only
   * local networks have it.
   */
  readonly instance: string | null;
}

const FAUCET = 'a URL on this machine, or null: only local networks have one';
const FILE = objectSchema({
  networks: Type.Array(Type.Unknown(), { description: 'a list of networks' }),
  faucet: nullableSchema(
    withRule(Type.String({ description: FAUCET }), (url) => isOnThisMachine(parseUrl(url))),
    FAUCET,
    null,
  ),
  instance: nullableSchema(
    textSchema(/^[\w.:-]{1,100}$/, 'a name'),
    'a name of up to 100 letters and digits, or null',
    null,
  ),
});

export async function readNetworksFile(location: string): Promise<NetworksFile> {
  const file = `The networks file ${location}`;
  return parseNetworks(readTextFile(file, location), file);
}

export function parseNetworks(content: string, file = 'The networks file'): NetworksFile {
  let rows: readonly unknown[] = [];
  const problems = new SettingsProblems((path) => nameOf(path, rows));
  return parseSettings(
    file,
    content,
    (json, at) => {
      rows = listOf(json, 'networks');
      const settings = readBySchema(FILE, json, at);
      const networks = rows.flatMap((row, index) => readNetwork(row, at.at('networks', index)) ?? []);
      refuseRepeats(
        networks.map((each) => each.settings),
        at,
      );
      return settings && { networks, faucet: settings.faucet, instance: settings.instance };
    },
    problems,
  );
}

function nameOf([list, index, ...rest]: Path, rows: readonly unknown[]): string {
  if (list === undefined) return 'The whole file: it';
  if (typeof index !== 'number') return `The whole file: "${list}"`;
  const fields = rest.filter((step) => typeof step === 'string').join('.');
  const entries = rest.filter((step) => typeof step === 'number').map((entry) => ` entry ${entry + 1}`);
  const title = titleIn(rows[index]) ?? `Network ${index + 1}`;
  return fields === '' ? `${title}: it` : `${title}: "${fields}"${entries.join('')}`;
}

function refuseRepeats(networks: readonly NetworkSettings[], { found }: SettingsProblems): void {
  const byName = new Map<string, NetworkSettings>();
  const byWallet = new Map<string, NetworkSettings>();
  for (const settings of networks) {
    const name = `${settings.mode} ${settings.name.toLowerCase()}`;
    const wallet = `${settings.key} ${settings.family} ${chainIdentityOf(settings)}`;
    const other = byWallet.get(wallet);
    if (byName.has(name)) found.push(`${titleOf(settings)} is listed twice. Remove one of the two.`);
    else if (other !== undefined)
      found.push(
        `${titleOf(settings)} and ${titleOf(other)} have the same "key" on the same chain. Each would treat the other's ` +
          'payments and deposits as its own: give each a key of its own.',
      );
    byName.set(name, settings);
    byWallet.set(wallet, settings);
  }
}

const titleOf = ({ name, mode }: NetworkSettings): string => `${name} (${mode})`;

/**
 * The identity of the chain, from the settings alone. If two chains had the same id, each would accept signed bytes of the other.
 */
function chainIdentityOf(settings: NetworkSettings): string {
  if (settings.family === 'evm') return `${settings.chainId}`;
  return settings.family === 'stellar' ? settings.passphrase : settings.token;
}
