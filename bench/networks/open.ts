// Opens the adapters of the local networks as the service does. The adapters use the keys that the networks wrote, and they use
// no database.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChainParts } from '../../src/adapters/networks/chain-parts.ts';
import { readNetworksFile } from '../../src/adapters/networks/settings/networks-file.ts';
import { makeKeyFile } from '../../src/adapters/signer/key-file.ts';
import { openLocalSigner } from '../../src/adapters/signer/local-signer.ts';
import { readPassphrase } from '../../src/adapters/signer/private-file.ts';
import { readConfig } from '../../src/config.ts';
import type { Network } from '../../src/ports/networks/network.ts';
import { openNetwork } from '../../src/wire/networks/open-network.ts';
import type { Report, Wanted } from './chains.ts';

export interface OpenNetworks {
  readonly networks: readonly Network[];
  wallets(network: string, count: number): Promise<readonly string[]>;
  close(): Promise<void>;
}

export async function openLocalNetworks(paceMs: number): Promise<OpenNetworks> {
  const dir = mkdtempSync(path.join(tmpdir(), 'sliproad-bench-'));
  const child = fork(path.join(import.meta.dirname, 'chains.ts'), [dir, String(paceMs)]);
  const ended = once(child, 'exit').then(([code]): never => {
    throw new Error(`the local networks ended with ${code}`);
  });
  ended.catch(() => undefined); // `received` reports the error to its caller
  const received = async () => {
    const [message] = await Promise.race([once(child, 'message') as Promise<[Report]>, ended]);
    return message;
  };
  const close = async () => {
    if (child.connected) child.disconnect();
    await ended.catch(() => undefined);
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const first = await received();
    const networks = await openAll('environment' in first ? first.environment : {});
    const wallets = async (network: string, count: number) => {
      const wanted: Wanted = { network, wallets: count };
      child.send(wanted);
      const answer = await received();
      return 'wallets' in answer ? answer.wallets : [];
    };
    return { networks, wallets, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openAll(environment: Readonly<Record<string, string>>): Promise<readonly Network[]> {
  const config = readConfig(environment);
  const file = await readNetworksFile(config.networksFile!);
  const passphrase = await readPassphrase(config.signer.passphrase);
  const signer = await openLocalSigner(makeKeyFile(config.signer.keyFile), passphrase);
  const parts: ChainParts = {
    clock: { now: Date.now },
    signer,
    onTrouble: (message, detail) => console.error(message, detail),
  };
  return Promise.all(file.networks.map(({ settings }) => openNetwork(settings, parts)));
}
