// A Stellar ledger with a token, and helpers that send a transaction and read its result, for the tests of the ledger.
import {
  Horizon,
  type Keypair,
  Operation,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk';
import { StellarLedger } from '../../../local-networks/stellar/ledger.ts';
import { verdictText } from '../../../local-networks/stellar/results.ts';
import { startStellarLedger } from '../../../local-networks/stellar/server.ts';

export function result(ledger: StellarLedger, transaction: { toXdr(): string; hash(): Uint8Array }): string {
  const answer = ledger.submit(transaction.toXdr());
  if (answer.status === 'ERROR') return `ERROR ${verdictText(answer.verdict)}`;
  if (answer.status !== 'PENDING') return answer.status;
  ledger.close();
  const closed = ledger.transaction(hashOf(transaction));
  return closed === undefined ? 'VANISHED' : verdictText(closed.verdict);
}

export function send(
  ledger: StellarLedger,
  source: Keypair,
  operations: xdr.Operation[],
  signers?: Keypair[],
): string {
  return result(ledger, ledger.build(source, operations, signers === undefined ? {} : { signers }));
}

export function withToken(customers = 1, withoutTrustline = 1) {
  const ledger = new StellarLedger();
  const token = ledger.setUpToken({ customers, withoutTrustline });
  const pay = (to: Keypair, amount: string, asset = token.asset) =>
    Operation.payment({ destination: to.publicKey(), asset, amount });
  return { ledger, ...token, customer: token.customers[0]!, stranger: token.withoutTrustline[0]!, pay };
}

export const bump = (ledger: StellarLedger, payer: Keypair, inner: Transaction, feeStroops: number) => {
  const outer = TransactionBuilder.buildFeeBumpTransaction(
    payer,
    String(feeStroops),
    inner,
    ledger.passphrase,
  );
  outer.sign(payer);
  return outer;
};

// A local Stellar ledger for the tests of provider faults: a token with one customer, and a client for each provider.

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
