// Tells the local banks (npm run banks) where this service receives their events, so that webhooks need no set-up.
import { readFile } from 'node:fs/promises';

/** The names of the local banks that send events, by the kind of their rail. */
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
 * `address`: the address of this service. Throws if the banks refuse it. If there are no webhooks, the service still reads the
 * lists of the banks.
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
