// Binds a database to the networks and keys of its first use, and releases them when an operator requests it. Stored data about
// one chain and one key is useless for another chain or key.
import type { NetworksFile } from '../../adapters/networks/settings/networks-file.ts';
import type { NetworkSettings } from '../../adapters/networks/settings/settings.ts';
import type { Database } from '../../adapters/postgres/connection/database.ts';
import {
  claimNetworkIdentity,
  type NetworkBinding,
  type NetworkInMode,
  notePassedSettings,
  readNetworkBinding,
  readNetworkIdentity,
  readPassedSettings,
} from '../../adapters/postgres/networks/network-identity.ts';
import { ConfigError } from '../../config.ts';

export interface DatabaseBinding extends NetworkInMode, NetworkBinding {
  /** Whether the network is simulated. Stored data of a simulated network does not fit a real network. */
  readonly simulated: boolean;
}

const SIMULATED = 'simulated';

/** The networks and keys to which this database is bound. The database may be used only with these. */
export interface NetworkIdentities {
  /** Throws if the database is bound to a different network of the same name. This check binds nothing. */
  refuseOthers(): Promise<void>;
  /**
   * Binds the database to the network and records that the settings of the network passed the check. Throws in the same case as
   * `refuseOthers`.
   */
  bind(row: IdentifiedNetwork): Promise<void>;
  /** Binds the simulated networks: all test networks that are not configured. */
  bindSimulated(): Promise<void>;
  /** Returns whether exactly these settings were already compared with their chain while this database was in use. */
  passedBefore(row: IdentifiedNetwork): Promise<boolean>;
}

export interface IdentifiedNetwork {
  readonly settings: NetworkSettings;
  readonly wallet: string;
  readonly fingerprint: string;
}

interface NetworkIdentity extends NetworkInMode {
  readonly identity: string;
}

export function openNetworkIdentities(
  { database, simulated }: { readonly database: Database; readonly simulated: readonly string[] },
  { instance }: NetworksFile,
  rows: readonly IdentifiedNetwork[],
): NetworkIdentities {
  const identityFor = ({ settings, wallet }: IdentifiedNetwork): NetworkIdentity => ({
    ...placeOf(settings),
    identity: identityOf(settings, instance, wallet),
  });
  const configured = rows.map(identityFor);
  const rest = simulated
    .filter((name) => !configured.some(({ mode, network }) => mode === 'test' && network === name))
    .map((network): NetworkIdentity => ({ mode: 'test', network, identity: SIMULATED }));
  const refuse = ({ identity, ...place }: NetworkIdentity, before: string | null) => {
    if (before === null || before === identity) return;
    // New local chains and simulated networks have nothing in common with earlier ones, so for them the message offers no way
    // to continue.
    const mayGoOn = instance === null && before !== SIMULATED && identity !== SIMULATED;
    throw new ConfigError(
      otherNetworkMessage(place, before, identity) + (mayGoOn ? `. ${forgetNetworkHint(place)}` : ''),
    );
  };
  const bind = async (wanted: NetworkIdentity) =>
    refuse(wanted, await claimNetworkIdentity(database, wanted, wanted.identity));
  return {
    refuseOthers: async () => {
      for (const wanted of [...configured, ...rest])
        refuse(wanted, await readNetworkIdentity(database, wanted));
    },
    bind: async (row) => {
      await bind(identityFor(row));
      await notePassedSettings(database, placeOf(row.settings), row.fingerprint);
    },
    bindSimulated: async () => {
      for (const wanted of rest) await bind(wanted);
    },
    passedBefore: async ({ settings, fingerprint }) =>
      (await readPassedSettings(database, placeOf(settings))) === fingerprint,
  };
}

function placeOf({ mode, name }: NetworkSettings): NetworkInMode {
  return { mode, network: name };
}

/**
 * Returns the identity of a network: its token, its forwarder factory, the instance of its chain, and the wallet of its key.
 * The instance is part of it because several chains may have equal settings.
 */
function identityOf(settings: NetworkSettings, instance: string | null, wallet: string): string {
  const factory = settings.family === 'evm' ? settings.forwarderFactory : null;
  return [settings.token, factory, instance, wallet].filter((part) => part !== null).join(' ');
}

function otherNetworkMessage({ mode, network }: NetworkInMode, before: string, now: string): string {
  return (
    `This database has been used with another ${network} in ${mode} mode (${before}; now ${now}). The token, the forwarder ` +
    "factory, the chain or the key of the treasury's wallet has changed, so the stored records do not match the new " +
    'configuration. Start with the networks and keys that the database was used with, or with a new database: for example ' +
    'DATA_DIR=data-2 npm start (set SIGNER_KEY_FILE as well if the keys are in the old DATA_DIR)'
  );
}

function forgetNetworkHint({ mode, network }: NetworkInMode): string {
  return (
    'If you changed the key, the token or the factory on purpose, see "Changing a treasury\'s key" in docs/operate/running-networks.md, and: ' +
    `bin/sliproad networks forget ${network} --mode ${mode}`
  );
}

export async function readDatabaseBinding(
  database: Database,
  place: NetworkInMode,
): Promise<DatabaseBinding> {
  const binding = await readNetworkBinding(database, place);
  return { ...place, ...binding, simulated: binding.identity === SIMULATED };
}
