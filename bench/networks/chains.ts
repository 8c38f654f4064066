// Runs the local networks in a separate process, so that the cost of the chains is not counted as the cost of paying. It creates
// fresh wallets on request.
import { startLocalNetworks } from '../../local-networks/start.ts';

/** Asked of it. */
export interface Wanted {
  readonly network: string;
  readonly wallets: number;
}

/** Messages of this process: first, once, the environment for a service on these networks; then wallets for each request. */
export type Report =
  | { readonly environment: Readonly<Record<string, string>> }
  | { readonly wallets: readonly string[] };

const [dir, paceMs] = process.argv.slice(2) as [string, string];
process.once('disconnect', () => process.exit(0));
const local = await startLocalNetworks({ dir, paceMs: Number(paceMs) });
const send = (report: Report) => process.send!(report);
process.on('message', async ({ network, wallets }: Wanted) => {
  const made: string[] = [];
  while (made.length < wallets) made.push(await local.find(network).wallet());
  send({ wallets: made });
});
send({ environment: local.environment });
