// A local Stellar ledger for the tests of provider faults: a token with one customer, and a client for each provider.
import { Horizon, Operation } from '@stellar/stellar-sdk';
import { startStellarLedger } from '../../../local-networks/stellar/server.ts';

export const hashOf = (transaction: { hash(): Uint8Array }) =>
  Buffer.from(transaction.hash()).toString('hex');

export async function openStellarFaultStage() {
  const network = await startStellarLedger({ closeEveryMs: 0, submitTimeoutMs: 300 });
  const token = network.ledger.setUpToken({ customers: 1 });
  const server = (at: 0 | 1) => new Horizon.Server(network.urls[at], { allowHttp: true });
  const servers = [server(0), server(1)] as const;
  const customer = () => token.customers[0]!.publicKey();
  const build = () =>
    network.ledger.build(token.treasury, [
      Operation.payment({ destination: customer(), asset: token.asset, amount: '1' }),
    ]);
  const held = () => network.ledger.balanceOf(customer(), token.asset)!;
  const known = (at: 0 | 1, hash: string) => servers[at].transactions().transaction(hash).call();
  return { network, servers, token, customer, build, held, known };
}
