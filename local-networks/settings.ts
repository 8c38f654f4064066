// The files that `npm run networks` writes for the service: the networks file for each mode, and the keys of the treasuries,
// encrypted with a separate passphrase. Every run creates all files again, because the chains are new.
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { addKey, makeKeyFile } from '../src/adapters/signer/key-file.ts';
import type { Scheme } from '../src/ports/signer.ts';
import type { LocalNetwork } from './local-network.ts';

export interface NetworkFiles {
  readonly networks: string;
  /** The same networks for live mode. A chain belongs to one of the two modes, because each mode has its own ledger. */
  readonly liveNetworks: string;
  readonly keys: string;
  readonly passphrase: string;
}

export function networkFilesIn(dir: string): NetworkFiles {
  return {
    networks: path.join(dir, 'networks.json'),
    liveNetworks: path.join(dir, 'live-networks.json'),
    keys: path.join(dir, 'signer-keys.json'),
    passphrase: path.join(dir, 'passphrase'),
  };
}

export function environmentOf(files: NetworkFiles, mode: 'test' | 'live'): Readonly<Record<string, string>> {
  const { keys, passphrase } = files;
  const networks = mode === 'test' ? files.networks : files.liveNetworks;
  return { NETWORKS_FILE: networks, SIGNER_KEY_FILE: keys, SIGNER_PASSPHRASE_FILE: passphrase };
}

/** Removes the files of an earlier run, because its chains no longer exist. */
export async function clearFiles(dir: string, files: NetworkFiles): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await chmod(dir, 0o700);
  // A killed run may have left an incomplete key file.
  const made = Object.values(files) as readonly string[];
  const all = made.flatMap((file) => [file, `${file}.new`]);
  await Promise.all(all.map((file) => rm(file, { force: true })));
}

export interface TreasuryKey {
  readonly name: string;
  readonly scheme: Scheme;
  readonly secret: Buffer;
}

export async function writeKeys(files: NetworkFiles, keys: readonly TreasuryKey[]): Promise<void> {
  const passphrase = randomBytes(24).toString('base64url');
  await writeFile(files.passphrase, `${passphrase}\n`, { mode: 0o600, flag: 'wx' });
  for (const { name, scheme, secret } of keys)
    await addKey(makeKeyFile(files.keys), passphrase, { name, secret, schemes: [scheme] });
}

export const keyNameOf = (network: string): string => `${network.toLowerCase()}-treasury`;

/** The file gets its final name only when it is complete. It shows that the networks run. */
export async function writeNetworks(
  files: NetworkFiles,
  { networks, faucet, instance }: LocalNetworksFacts,
): Promise<void> {
  const write = async (file: string, mode: 'test' | 'live') => {
    const content = { networks: networks.map((each) => rowOf(each, mode)), faucet, instance };
    await writeFile(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`);
    await rename(`${file}.new`, file);
  };
  await write(files.liveNetworks, 'live');
  await write(files.networks, 'test');
}

/** After this call, a service cannot find these networks. */
export async function clearNetworks({ networks, liveNetworks }: NetworkFiles): Promise<void> {
  await Promise.all([networks, liveNetworks].map((file) => rm(file, { force: true })));
}

export interface LocalNetworksFacts {
  readonly networks: readonly LocalNetwork[];
  readonly faucet: string;
  /** The id of this run. The service refuses a database that was used with another run. */
  readonly instance: string;
}

function rowOf({ name, family, decimals, urls, token, settings }: LocalNetwork, mode: 'test' | 'live') {
  return {
    name,
    mode,
    family,
    rpc: urls,
    asset: 'NGNC',
    token,
    decimals,
    key: keyNameOf(name),
    agree_from: '100000',
    low_water: { token: '1000000', native: '1' },
    signing: { per_transaction: '1000000000', per_day: '10000000000' },
    ...settings,
  };
}
