// Opens the Stellar adapter on an honest local ledger for the contract suite. The test closes the ledgers, every harness has
// its own token and treasury, and the suite reads real payments directly from the ledger.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Account, Asset, Keypair, Memo, MuxedAccount, Operation, Transaction } from '@stellar/stellar-sdk';
import { type RunningStellarLedger, startStellarLedger } from '../../../local-networks/stellar/server.ts';
import type { StellarSettings } from '../../../src/adapters/networks/settings/settings.ts';
import { amountText } from '../../../src/adapters/networks/stellar/horizon/fields.ts';
import { openStellarNetwork } from '../../../src/adapters/networks/stellar/open.ts';
import { openStellarSetUp, treasuryOperations } from '../../../src/adapters/networks/stellar/set-up.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { SignedTransaction } from '../../../src/ports/networks/network-payer.ts';
import { memoryKey, memorySigner } from '../../support/networks/memory-signer.ts';
import { type ContractHarness, LARGE_NAIRA } from '../network/case.ts';
import type { Arriving, Trouble } from '../network/harness.ts';

const DECIMALS = 7;
const LEDGER_MS = 5_000;
const BASE_RESERVE_MINOR = 5_000_000n;
const FEE_MINOR = 100n;
const TROUBLES: readonly Trouble[] = [
  'no_connection',
  'answer_lost',
  'dropped',
  'rejected',
  'fails',
  'stuck',
];

export interface StellarHarness extends ContractHarness {
  readonly settings: StellarSettings;
  readonly town: Town;
  open(changes?: Partial<StellarSettings>): Promise<Network>;
}

export function openStellarServer(): Promise<RunningStellarLedger> {
  return startStellarLedger({ closeEveryMs: 0 });
}

function makeTown({ ledger }: RunningStellarLedger, seed: string) {
  const treasury = Keypair.fromRawEd25519Seed(memoryKey('treasury', seed));
  const [sender, vault, forger] = [Keypair.random(), Keypair.random(), Keypair.random()];
  const { asset, issuer } = ledger.setUpToken({
    treasury,
    treasuryTokens: '1000000000',
    customers: [sender, vault],
  });
  // Another token has the same code. An account that trusts that token can receive it.
  const fake = new Asset(asset.getCode(), forger.publicKey());
  ledger.createAccounts([forger]);
  ledger.trust([treasury, sender], fake);
  ledger.execute(treasury, treasuryOperations({ code: asset.getCode(), issuer: issuer.publicKey() }));
  const amount = '100000';
  ledger.execute(issuer, [Operation.payment({ destination: sender.publicKey(), asset, amount })]);
  ledger.execute(forger, [Operation.payment({ destination: sender.publicKey(), asset: fake, amount })]);
  return { treasury, sender, vault, issuer, asset, fake, wallets: new Map<string, Keypair>() };
}

type Town = ReturnType<typeof makeTown>;

function settingsFor(server: RunningStellarLedger, { asset, issuer }: Town): StellarSettings {
  return {
    family: 'stellar',
    name: 'Stellar',
    mode: 'test',
    rpc: server.urls,
    assetCode: asset.getCode(),
    decimals: DECIMALS,
    native: { asset: 'XLM', decimals: DECIMALS },
    key: 'treasury',
    confirmations: 1,
    finalAfterMs: LEDGER_MS,
    explorerTxUrl: null,
    agreeFromMinor: LARGE_NAIRA * 10n ** BigInt(DECIMALS),
    marks: { tokenMinor: 0n, nativeMinor: 0n },
    batch: 100,
    token: issuer.publicKey(),
    passphrase: server.passphrase,
    validForMs: 120_000,
    feePerOperation: FEE_MINOR,
    maxFeePerOperation: 10_000n,
    withoutTrustline: 'wait',
    issuerControl: 'accept',
  };
}

export async function makeStellarHarness(server: RunningStellarLedger): Promise<StellarHarness> {
  const { ledger, faults } = server;
  faults.clear();
  const seed = randomUUID();
  const town = makeTown(server, seed);
  const settings = settingsFor(server, town);
  const mischief = makeMischief(server, town);
  const parts = {
    clock: { now: () => ledger.now() },
    signer: memorySigner(seed),
    onTrouble: () => undefined,
  };
  const open = async (changes: Partial<StellarSettings> = {}): Promise<Network> => {
    const network = await openStellarNetwork({ ...settings, ...changes }, parts);
    const { broadcast } = network;
    return { ...network, broadcast: (prepared) => mischief.around(prepared, () => broadcast(prepared)) };
  };
  const close = (ms: number) => {
    ledger.advance(ms);
    ledger.close();
  };
  const muxed = new MuxedAccount(new Account(town.treasury.publicKey(), '0'), '1').accountId();
  return {
    network: await open(),
    settings,
    town,
    open,
    restarted: open,
    marked: (marks) => open({ marks }),
    setUp: () => {
      const another = Keypair.random();
      ledger.createAccounts([another]);
      return openStellarSetUp({ ...settings, token: another.publicKey() }, parts);
    },
    troubles: new Set(TROUBLES),
    meet: mischief.meet,
    pass: async () => close(LEDGER_MS),
    untilExpired: async ({ bound }) => close(Math.max(0, Number(bound) + 1_000 - ledger.now())),
    received: async (wallet) => ledger.balanceOf(wallet, town.asset) ?? 0n,
    watch: { recent: async () => [], ours: async () => new Set() },
    forbidden: [town.issuer.publicKey(), muxed],
    wallet: async () => openWallet(server, town, Keypair.random()),
    unready: async () => {
      const keypair = Keypair.random();
      return {
        wallet: keypair.publicKey(),
        open: async () => void openWallet(server, town, keypair),
      };
    },
    // The wallet removes its trustline, as every account can at any time.
    shut: async (wallet) => {
      const owner = town.wallets.get(wallet)!;
      ledger.execute(owner, [Operation.changeTrust({ asset: town.asset, limit: '0' })]);
      return async () => void ledger.trust([owner], town.asset);
    },
    deposit: makeDeposit(server, town),
    ...makeCoins(server, town),
    ...makeStrangeEvents(server, town),
    close: async () => {
      faults.clear();
      ledger.surge();
    },
  };
}

function makeStrangeEvents(
  { ledger, faults, urls }: RunningStellarLedger,
  { treasury, vault, asset }: Town,
): Pick<Required<ContractHarness>, 'poison' | 'lie' | 'lag' | 'steal'> {
  return {
    poison: async () => {
      // The amount of this native coin is unknown, so the adapter cannot match it with the order that it names.
      const closing = Keypair.random();
      ledger.createAccounts([closing]);
      const destination = treasury.publicKey();
      ledger.execute(closing, [Operation.accountMerge({ destination })], { memo: Memo.id('12345') });
    },
    lie: async ({ hash, payload }) => {
      const { xdr } = JSON.parse(payload) as { xdr: string };
      faults.add({ kind: 'lie', hash, envelopeXdr: xdr }, { url: urls[0] });
    },
    lag: async ({ paths, providers, servers }) => {
      // The lag begins after the last signature, so that an older response cannot mislead the adapter.
      const until = ledger.close().sequence;
      const behind = (providers === 'one' ? urls.slice(0, 1) : urls).map((url) =>
        faults.add({ kind: 'behind', paths, servers, until }, { url }),
      );
      return async () => {
        for (const each of behind) each.clear();
      };
    },
    steal: async (amountMinor) => {
      const amount = amountText(amountMinor);
      const payment = Operation.payment({ destination: vault.publicKey(), asset, amount });
      const transaction = ledger.build(treasury, [payment]);
      assert.equal(ledger.submit(transaction.toXdr()).status, 'PENDING');
      return Buffer.from(transaction.hash()).toString('hex');
    },
  };
}

function openWallet({ ledger }: RunningStellarLedger, { asset, wallets }: Town, keypair: Keypair): string {
  ledger.createAccounts([keypair]);
  ledger.trust([keypair], asset);
  wallets.set(keypair.publicKey(), keypair);
  return keypair.publicKey();
}

function makeDeposit({ ledger }: RunningStellarLedger, { sender, asset, fake }: Town) {
  const sent = new Map<string, string>();
  return async (id: string, { address, memo, amountMinor, ourToken = true }: Arriving): Promise<string> => {
    const before = sent.get(id);
    if (before !== undefined) return before;
    const amount = amountText(amountMinor);
    const operation = Operation.payment({ destination: address, asset: ourToken ? asset : fake, amount });
    const { envelope } = ledger.execute(sender, [operation], memo === null ? {} : { memo: Memo.id(memo) });
    sent.set(id, envelope.hashHex);
    return envelope.hashHex;
  };
}

function makeCoins({ ledger }: RunningStellarLedger, { treasury, vault, asset }: Town) {
  const own = treasury.publicKey();
  const pay = (from: Keypair, to: string, what: Asset, amountMinor: bigint) =>
    ledger.execute(from, [
      Operation.payment({ destination: to, asset: what, amount: amountText(amountMinor) }),
    ]);
  let takenMinor = 0n;
  return {
    treasury: {
      empty: async () => void pay(treasury, vault.publicKey(), asset, ledger.balanceOf(own, asset)!),
      refill: async () => void pay(vault, own, asset, ledger.balanceOf(vault.publicKey(), asset)!),
    },
    native: {
      empty: async () => {
        // The account keeps two reserves for itself, three for two trustlines and a data entry, and the fee of this payment.
        takenMinor = ledger.balanceOf(own)! - 5n * BASE_RESERVE_MINOR - FEE_MINOR;
        pay(treasury, ledger.root.publicKey(), Asset.native(), takenMinor);
      },
      refill: async () => void pay(ledger.root, own, Asset.native(), takenMinor),
    },
  };
}

function makeMischief({ ledger, faults, urls }: RunningStellarLedger, { treasury, asset, wallets }: Town) {
  const planned = new Map<string, Trouble>();
  const everywhere = (kind: 'cut' | 'lost_answer' | 'drop') => {
    const met = urls.map((url) => faults.add({ kind }, { url, on: 'submit', next: 1 }));
    return () => {
      for (const each of met) each.clear();
    };
  };
  /** The first recipient closes its trustline while the bytes are being sent, and opens it again afterwards. */
  const failing = async <Answer>(
    prepared: SignedTransaction,
    broadcast: () => Promise<Answer>,
  ): Promise<Answer> => {
    const { xdr } = JSON.parse(prepared.payload) as { xdr: string };
    const [first] = new Transaction(xdr, ledger.passphrase).operations;
    const wallet = wallets.get(first?.type === 'payment' ? first.destination : '');
    if (wallet === undefined)
      throw new Error('only a payment to a wallet of this harness can be made to fail');
    const heldMinor = ledger.balanceOf(wallet.publicKey(), asset)!;
    ledger.execute(wallet, [Operation.changeTrust({ asset, limit: amountText(heldMinor) })]);
    const answer = await broadcast();
    ledger.close();
    ledger.execute(wallet, [Operation.changeTrust({ asset })]);
    return answer;
  };
  return {
    meet: async (trouble: Trouble, { hash }: SignedTransaction) => void planned.set(hash, trouble),
    around: async <Answer>(
      prepared: SignedTransaction,
      broadcast: () => Promise<Answer>,
    ): Promise<Answer> => {
      const trouble = planned.get(prepared.hash);
      planned.delete(prepared.hash);
      if (trouble === 'no_connection') everywhere('cut');
      if (trouble === 'answer_lost') everywhere('lost_answer');
      const dropping = trouble === 'dropped' ? everywhere('drop') : undefined;
      // An operator uses the treasury's key in another program, which uses up the sequence number.
      if (trouble === 'rejected') ledger.execute(treasury, [Operation.bumpSequence({ bumpTo: '0' })]);
      // Until the harness is closed, ledgers are full of transactions with higher fees.
      if (trouble === 'stuck') ledger.surge(5n * FEE_MINOR);
      if (trouble === 'fails') return failing(prepared, broadcast);
      const answer = await broadcast();
      dropping?.();
      return answer;
    },
  };
}
