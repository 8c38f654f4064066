// Tells the local banks (npm run banks) where this service receives their events, so that no person needs to set up webhooks.
import { readFile } from 'node:fs/promises';

const BANKS: Readonly<Record<string, string>> = {
  'nip-bank': 'providus',
  paystack: 'paystack',
  monnify: 'monnify',
};
const PATIENCE_MS = 5_000;

interface LocalBanksFile {
  readonly control: string;
  readonly rails: readonly { readonly kind: string; readonly name: string }[];
}

/**
 * `address` is the address of this service. Throws if the local banks reject the address. Even without their webhooks, the
 * service still reads the transfers that the banks list.
 */
export async function announceToLocalBanks(file: string, address: string): Promise<void> {
  const { control, rails } = JSON.parse(await readFile(file, 'utf8')) as LocalBanksFile;
  for (const { kind, name } of rails) {
    const rail = BANKS[kind];
    if (rail === undefined) continue;
    const answer = await fetch(`${control}/webhooks`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rail, url: `${address}/rails/${name}/events` }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) throw new Error(`the local banks answer with status ${answer.status}`);
  }
}
