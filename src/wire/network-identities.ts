// Binds a database to the networks and keys it is first used with, and lets go of them when an operator says so. What is
// stored of one chain and one key means nothing on another.

import type { NetworksFile } from '../adapters/networks/settings/file.ts';
import type { NetworkSettings } from '../adapters/networks/settings/settings.ts';
import type { Database } from '../adapters/postgres/connection/database.ts';
import {
  claimNetworkIdentity,
  forgetNetworkIdentity,
  type NetworkBinding,
  type NetworkPlace,
  networkIdentity,
  notePassedSettings,
  passedSettings,
  readNetworkBinding,
} from '../adapters/postgres/networks/network-identity.ts';
import { ConfigError } from '../config.ts';
import type { Doing } from '../ports/back-office.ts';

export interface Forgetting extends NetworkPlace, NetworkBinding {
  /** A simulated network: what was learnt there fits no real one. */
  readonly simulated: boolean;
  readonly forgotten: boolean;
}

const SIMULATED = 'simulated';

/** What this database has been used with, and may be used with from now on. */
export interface Identities {
  /** Throws for a network that the database has been used with as another one. Binds nothing. */
  refuseOthers(): Promise<void>;
  /** Binds the database to it, and notes that its settings have passed. Throws as above. */
  bind(row: IdentifiedNetwork): Promise<void>;
  /** All test networks that are not configured are simulated. */
  bindSimulated(): Promise<void>;
  /** Whether exactly these settings have been compared with their chain before, on this database. */
  passedBefore(row: IdentifiedNetwork): Promise<boolean>;
}

export interface IdentifiedNetwork {
  readonly settings: NetworkSettings;
  readonly wallet: string;
  readonly fingerprint: string;
}

interface Claim extends NetworkPlace {
  readonly identity: string;
}

export function openIdentities(
  { database, simulated }: { readonly database: Database; readonly simulated: readonly string[] },
  { instance }: NetworksFile,
  rows: readonly IdentifiedNetwork[],
): Identities {
  const claimOf = ({ settings, wallet }: IdentifiedNetwork): Claim => ({
    ...placeOf(settings),
    identity: identityOf(settings, instance, wallet),
  });
  const configured = rows.map(claimOf);
  const rest = simulated
    .filter((name) => !configured.some(({ mode, network }) => mode === 'test' && network === name))
    .map((network): Claim => ({ mode: 'test', network, identity: SIMULATED }));
  const refuse = ({ identity, ...place }: Claim, before: string | null) => {
    if (before === null || before === identity) return;
    // Chains that are made anew, and simulated ones, have nothing in common with what came before.
    const mayGoOn = instance === null && before !== SIMULATED && identity !== SIMULATED;
    throw new ConfigError(usedWithAnother(place, before, identity) + (mayGoOn ? `. ${wayOut(place)}` : ''));
  };
  const bind = async (claim: Claim) =>
    refuse(claim, await claimNetworkIdentity(database, claim, claim.identity));
  return {
    refuseOthers: async () => {
      for (const claim of [...configured, ...rest]) refuse(claim, await networkIdentity(database, claim));
    },
    bind: async (row) => {
      await bind(claimOf(row));
      await notePassedSettings(database, placeOf(row.settings), row.fingerprint);
    },
    bindSimulated: async () => {
      for (const claim of rest) await bind(claim);
    },
    passedBefore: async ({ settings, fingerprint }) =>
      (await passedSettings(database, placeOf(settings))) === fingerprint,
  };
}

function placeOf({ mode, name }: NetworkSettings): NetworkPlace {
  return { mode, network: name };
}

/** The token, where deposits go, which of several chains with the same settings, and whose key it is. */
function identityOf(settings: NetworkSettings, instance: string | null, wallet: string): string {
  const factory = settings.family === 'evm' ? settings.forwarderFactory : null;
  return [settings.token, factory, instance, wallet].filter((part) => part !== null).join(' ');
}

function usedWithAnother({ mode, network }: NetworkPlace, before: string, now: string): string {
  return (
    `This database has been used with another ${network} in ${mode} mode (${before}; now ${now}). The token, the forwarder ` +
    "factory or the chain is another one, or the treasury's wallet, and so its key. What the database knows of one chain and " +
    'key means nothing on another. Start with the networks and keys it was used with, or with a new database: for instance ' +
    'DATA_DIR=data-2 npm start (with SIGNER_KEY_FILE, where the keys are in the old DATA_DIR)'
  );
}

function wayOut({ mode, network }: NetworkPlace): string {
  return (
    'If you changed the key, the token or the factory on purpose, see "Changing a treasury\'s key" in docs/operating.md, and: ' +
    `bin/sliproad networks forget ${network} --mode ${mode}`
  );
}

/** With nobody to do it, it is only looked at. */
export async function forgetNetwork(
  database: Database,
  place: NetworkPlace,
  doing: Doing | null,
): Promise<Forgetting> {
  const { identity, ...inTheWay } = await readNetworkBinding(database, place);
  const simulated = identity === SIMULATED;
  const forgotten =
    doing !== null &&
    identity !== null &&
    !simulated &&
    (await forgetNetworkIdentity(database, place, identity, doing));
  return { ...place, identity, ...inTheWay, simulated, forgotten };
}
