// Writes src/adapters/networks/settings/chain-kinds.json from viem's list of chains. Run `node scripts/chain-kinds.ts` and then
// `npm run format` when viem is updated. A test reminds you.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as chains from 'viem/chains';

type Kind = 'main' | 'test' | 'local';

const FILE = path.join(import.meta.dirname, '../src/adapters/networks/settings/chain-kinds.json');
const LOOPBACK = /^https?:\/\/(127\.0\.0\.1|localhost)\b/;

/** If several chains have the same id, a main network takes precedence, because a mistake there costs most. */
export function listChainKinds(): Readonly<Record<Kind, readonly number[]>> {
  const kinds = new Map<number, Kind>();
  for (const { id, testnet, rpcUrls } of Object.values(chains)) {
    const isLocal = rpcUrls.default.http.some((url) => LOOPBACK.test(url));
    const kind = isLocal ? 'local' : testnet === true ? 'test' : 'main';
    const known = kinds.get(id);
    if (known !== 'main' && (kind === 'main' || known !== 'test')) kinds.set(id, kind);
  }
  const of = (wanted: Kind) =>
    [...kinds]
      .filter(([, kind]) => kind === wanted)
      .map(([id]) => id)
      .toSorted((a, b) => a - b);
  return { main: of('main'), test: of('test'), local: of('local') };
}

if (process.argv[1] === import.meta.filename)
  await writeFile(FILE, `${JSON.stringify(listChainKinds(), null, 2)}\n`);
