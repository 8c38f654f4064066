// The local Stellar network. The token is issued, and the treasury has a trustline and the flag that requires a memo.
import { Asset, Claimant, Keypair, Memo, Operation } from '@stellar/stellar-sdk';
import { amountText } from '../src/adapters/networks/stellar/horizon/fields.ts';
import { treasuryOperations } from '../src/adapters/networks/stellar/set-up.ts';
import {
  CUSTOMER_TOKENS,
  type LocalNetwork,
  type LocalNetworkOptions,
  sendOncePerId,
} from './local-network.ts';
import type { StellarLedger } from './stellar/ledger.ts';
import { startStellarLedger } from './stellar/server.ts';
import { stellarTroubles } from './stellar/troubles.ts';

/** An account can have at most 922,337,203,685 of an asset. The difference to that limit leaves space for incoming amounts. */
const TREASURY_TOKENS = 900n * 10n ** 9n;
const TREASURY_LUMENS = '1000000';

export async function startStellar(options: LocalNetworkOptions): Promise<LocalNetwork> {
  const { name, decimals, treasuryKey, ports, paceMs } = options;
  const running = await startStellarLedger({ ports, closeEveryMs: paceMs });
  const { ledger, urls, passphrase } = running;
  const treasury = Keypair.fromRawEd25519Seed(treasuryKey);
  const [issuer, customer] = [Keypair.random(), Keypair.random()];
  const asset = new Asset('NGNC', issuer.publicKey());
  ledger.createAccounts([issuer, customer]);
  ledger.createAccounts([treasury], TREASURY_LUMENS);
  ledger.execute(treasury, treasuryOperations({ code: asset.getCode(), issuer: issuer.publicKey() }));
  ledger.trust([customer], asset);
  fundAccounts(ledger, { asset, issuer, treasury, customer });
  const unready = async () => {
    const keypair = Keypair.random();
    ledger.createAccounts([keypair]);
    return { wallet: keypair.publicKey(), makeReady: async () => ledger.trust([keypair], asset) };
  };
  return {
    name,
    family: 'stellar',
    decimals,
    urls,
    chain: `"${passphrase}"`,
    token: issuer.publicKey(),
    treasury: treasury.publicKey(),
    settings: { passphrase, confirmations: 1, final_after_ms: paceMs, batch: 100 },
    wallet: async () => {
      const { wallet, makeReady } = await unready();
      await makeReady();
      return wallet;
    },
    unready,
    received: async (wallet) => ledger.balanceOf(wallet, asset) ?? 0n,
    deposit: sendOncePerId(async ({ address, memo, amountMinor }) => {
      const payment = Operation.payment({ destination: address, asset, amount: amountText(amountMinor) });
      const { envelope } = ledger.execute(customer, [payment], memo === null ? {} : { memo: Memo.id(memo) });
      return envelope.hashHex;
    }),
    troubles: stellarTroubles(running),
    close: running.close,
  };
}

/** The treasury gets its opening balance by a claim, because a payment to it would be an unmatched deposit. */
function fundAccounts(
  ledger: StellarLedger,
  {
    asset,
    issuer,
    treasury,
    customer,
  }: { asset: Asset } & Record<'issuer' | 'treasury' | 'customer', Keypair>,
): void {
  const claimants = [new Claimant(treasury.publicKey())];
  ledger.execute(issuer, [
    Operation.createClaimableBalance({ asset, amount: `${TREASURY_TOKENS}`, claimants }),
    Operation.payment({ destination: customer.publicKey(), asset, amount: `${CUSTOMER_TOKENS}` }),
  ]);
  const [balance] = ledger.stateAsOf(ledger.latest.sequence).allClaimables();
  ledger.execute(treasury, [Operation.claimClaimableBalance({ balanceId: balance!.id })]);
}
