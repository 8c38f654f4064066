// The four local networks with a proxy in front of every provider, and the settings of a service that uses these proxies.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type LocalNetworks, startLocalNetworks } from '../../../local-networks/start.ts';
import { afterFile } from '../sharing/file-group.ts';
import { type ProviderFront, standBefore } from './provider-front.ts';

export interface FrontedNetworks {
  readonly local: LocalNetworks;
  readonly environment: Readonly<Record<string, string>>;
  /** Sets how the providers of a network respond from now on. If `which` is given, only that provider changes. */
  answer(name: string, how: ProviderFront['answer'], which?: 0 | 1): void;
}

/** `fields`: additional fields of every row of the networks file. The networks are closed at the end of the test file. */
export async function startFrontedNetworks(
  fields: Readonly<Record<string, unknown>> = {},
): Promise<FrontedNetworks> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sliproad-fronted-'));
  const local = await startLocalNetworks({ dir, paceMs: 200 });
  afterFile(async () => {
    await local.close();
    await rm(dir, { recursive: true });
  });
  const fronts = new Map<string, readonly ProviderFront[]>();
  for (const { name, urls } of local.networks) fronts.set(name, await Promise.all(urls.map(standBefore)));
  const settings = JSON.parse(await readFile(path.join(dir, 'networks.json'), 'utf8')) as {
    networks: { name: string }[];
  };
  const networks = settings.networks.map((row) => {
    const rpc = fronts.get(row.name)!.map(({ url }) => url);
    return { ...row, ...fields, rpc };
  });
  const file = path.join(dir, 'fronted.json');
  await writeFile(file, JSON.stringify({ ...settings, networks }));
  return {
    local,
    environment: { ...local.environment, NETWORKS_FILE: file, DATA_DIR: path.join(dir, 'data') },
    answer: (name, how, which) => {
      for (const [index, front] of fronts.get(name)!.entries())
        if (which === undefined || which === index) front.answer = how;
    },
  };
}
