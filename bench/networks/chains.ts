// Runs the local networks in a separate process, so that the CPU time of the chains does not count as the cost of paying. The
// process creates fresh wallets on request.
import { startLocalNetworks } from '../../local-networks/start.ts';

export interface Wanted {
  readonly network: string;
  readonly wallets: number;
}

/**
 * The messages that this process sends. The first message is the environment for a service that uses these networks. Every
 * later message contains the wallets for one request.
 */
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
