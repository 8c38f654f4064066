// Opens the Solana adapter on a local chain for the contract suite. The test advances the slots, every harness has its own
// token and treasury, and the suite reads real payments directly from the chain.
import { randomUUID } from 'node:crypto';
import { type Address, generateKeyPairSigner } from '@solana/kit';
import { AccountState, getTokenDecoder, getTokenEncoder, type Token } from '@solana-program/token';
import { type SolanaServer, startSolanaServer } from '../../../local-networks/solana/rpc/server.ts';
import { beginServerLag } from '../../../local-networks/solana/rpc/server-lags.ts';
import type { TokenSetUp } from '../../../local-networks/solana/solana-chain.ts';
import type { SolanaSettings } from '../../../src/adapters/networks/settings/settings.ts';
import { openSolanaNetwork } from '../../../src/adapters/networks/solana/open.ts';
import { connectSolana } from '../../../src/adapters/networks/solana/rpc/connect-solana.ts';
import { openSolanaSetUp } from '../../../src/adapters/networks/solana/set-up.ts';
import type { Network } from '../../../src/ports/networks/network.ts';
import type { SignedTransaction } from '../../../src/ports/networks/network-payer.ts';
import type { Signer } from '../../../src/ports/signer.ts';
import { memoryKey, memorySigner } from '../../support/networks/memory-signer.ts';
import { type ContractHarness, LARGE_NAIRA } from '../network/case.ts';
import type { Lag, Trouble } from '../network/harness.ts';
import {
  DECIMALS,
  FINAL_BLOCKS,
  lieAbout,
  makeDepositor,
  SUPPLY_MINOR,
  transfer,
} from './solana-transfers.ts';

const SLOT_MS = 400;

export interface SolanaHarness extends ContractHarness {
  readonly server: SolanaServer;
  readonly token: TokenSetUp;
  readonly settings: SolanaSettings;
  open(changes?: Partial<SolanaSettings>, signedBy?: (signer: Signer) => Signer): Promise<Network>;
  /** Changes the chain's data of a token account, as if the account had always been like this. */
  rewriteTokens(account: Address, change: (token: Token) => Partial<Token>): void;
  passMs(ms: number): void;
  readonly said: readonly string[];
}

export function openSolanaServer(): Promise<SolanaServer> {
  return startSolanaServer({ slotEveryMs: 0, finalizedAfterSlots: FINAL_BLOCKS });
}

export async function makeSolanaHarness(server: SolanaServer): Promise<SolanaHarness> {
  server.faults.clear();
  const seed = randomUUID();
  const treasuryKey = memoryKey('treasury', seed);
  const supply = { decimals: DECIMALS, supplyMinor: SUPPLY_MINOR };
  const token = await server.chain.setUpToken({ ...supply, treasuryKey });
  const world: World = {
    server,
    token,
    settings: settingsFor(server, token),
    targets: new Set(),
    said: [],
    nowMs: server.chain.nowMs,
  };
  const open = opener(world, memorySigner(seed));
  const network = await open();
  const { deposit } = makeDepositor(server, token);
  return {
    ...world,
    ...happenings(world),
    ...holdings(world),
    open,
    network,
    restarted: () => open(),
    marked: (marks) => open({ marks }),
    setUp: async () => {
      const { mint } = await server.chain.setUpToken({ decimals: DECIMALS });
      const parts = {
        clock: { now: () => world.nowMs },
        signer: memorySigner(seed),
        onTrouble: () => undefined,
      };
      return openSolanaSetUp({ ...world.settings, token: mint }, parts);
    },
    forbidden: [token.mint, token.treasuryTokenAccount],
    deposit,
    poison: async () => {
      const { address } = network.depositTarget(randomUUID());
      const hash = await deposit(randomUUID(), { address, memo: null, amountMinor: 5n });
      server.faults.forge(
        ([signature], honest) => (signature === hash ? { ...(honest as object), meta: null } : honest),
        { methods: ['getTransaction'] },
      );
    },
    steal: async (amountMinor) => {
      const { address } = await generateKeyPairSigner();
      const client = connectSolana(server.urls[1]);
      return transfer(client, token.mint, token.treasury, { address, amountMinor }, randomUUID());
    },
    lie: async (prepared) => lieAbout(server, token, prepared),
    close: async () => server.faults.clear(),
  };
}

interface World {
  readonly server: SolanaServer;
  readonly token: TokenSetUp;
  readonly settings: SolanaSettings;
  readonly targets: Set<string>;
  readonly said: string[];
  nowMs: number;
}

function opener(world: World, signer: Signer): SolanaHarness['open'] {
  return async (changes = {}, signedBy = (own) => own) => {
    const clock = { now: () => world.nowMs };
    const onTrouble = (message: string) => void world.said.push(message);
    const parts = { clock, signer: signedBy(signer), onTrouble };
    const network = await openSolanaNetwork({ ...world.settings, ...changes }, parts);
    const depositTarget: Network['depositTarget'] = (id) => {
      const target = network.depositTarget(id);
      world.targets.add(target.address);
      return target;
    };
    return { ...network, depositTarget };
  };
}

function happenings(world: World) {
  const { chain, faults } = world.server;
  let frozen = false;
  const passTime = (ms: number) => {
    world.nowMs += ms;
    chain.passTime(ms);
  };
  const freeze = (on: boolean) => {
    const state = on ? AccountState.Frozen : AccountState.Initialized;
    rewriteTokens(world, world.token.treasuryTokenAccount, () => ({ state }));
    frozen = on;
  };
  return {
    troubles: new Set<Trouble>(['no_connection', 'answer_lost', 'dropped', 'reorganised', 'fails']),
    // Each payment is sent once to each of the two providers, so the fault applies twice.
    meet: async (trouble: Trouble) => {
      if (trouble === 'no_connection') faults.cutBefore({ times: 2 });
      if (trouble === 'answer_lost') faults.loseAnswer({ times: 2 });
      if (trouble === 'dropped') faults.drop({ times: 2 });
      if (trouble === 'reorganised') faults.forkAway(4, { times: 2 });
      // No payment can leave a frozen account. The account is unfrozen when the next block is produced.
      if (trouble === 'fails') freeze(true);
    },
    pass: async () => {
      passTime(SLOT_MS);
      chain.advance();
      if (frozen) freeze(false);
    },
    passMs: (ms: number) => {
      passTime(ms);
      chain.advance(FINAL_BLOCKS + 1);
    },
    untilExpired: async ({ bound }: SignedTransaction) => {
      // The transaction may get into a block one block after its expiry, and the block after that must be final.
      chain.advance(Math.max(0, Number(bound) + FINAL_BLOCKS + 2 - chain.height));
    },
    lag: async ({ paths, providers, servers }: Lag) => {
      const beganAt = chain.slot;
      const slots = () => chain.slot - beganAt;
      const begun = beginServerLag(faults, {
        paths,
        servers,
        slots,
        providers: providers === 'both' ? [0, 1] : [0],
      });
      return async () => begun.clear();
    },
  };
}

function holdings(world: World) {
  const { server, token, targets } = world;
  const setTokens = (amount: bigint) => rewriteTokens(world, token.treasuryTokenAccount, () => ({ amount }));
  const setLamports = (lamports: bigint) =>
    server.chain.rewriteAccount(token.treasury.address, (state) => ({ ...state!, lamports }));
  return {
    rewriteTokens: (account: Address, change: (token: Token) => Partial<Token>) =>
      rewriteTokens(world, account, change),
    wallet: async () => (await generateKeyPairSigner()).address,
    // The issuer opened and froze the account, so transfers to it fail when they are executed.
    shut: async (wallet: string) => {
      const account = await server.chain.giveTokens(token.mint, wallet as Address, 0n);
      const set = (state: AccountState) => rewriteTokens(world, account, () => ({ state }));
      set(AccountState.Frozen);
      return async () => set(AccountState.Initialized);
    },
    received: (wallet: string) => server.chain.tokenBalanceOf(token.mint, wallet as Address),
    watch: {
      recent: async () => [...targets],
      ours: async (addresses: readonly string[]) => new Set(addresses.filter((each) => targets.has(each))),
    },
    treasury: { empty: async () => setTokens(0n), refill: async () => setTokens(SUPPLY_MINOR) },
    native: { empty: async () => setLamports(1_000_000n), refill: async () => setLamports(10n ** 12n) },
  };
}

function rewriteTokens({ server }: World, account: Address, change: (token: Token) => Partial<Token>): void {
  server.chain.rewriteAccount(account, (state) => {
    const before = getTokenDecoder().decode(state!.data);
    return { ...state!, data: new Uint8Array(getTokenEncoder().encode({ ...before, ...change(before) })) };
  });
}

function settingsFor({ urls }: SolanaServer, { mint }: TokenSetUp): SolanaSettings {
  return {
    family: 'solana',
    name: 'Solana',
    mode: 'test',
    rpc: urls,
    assetCode: 'NGNC',
    decimals: DECIMALS,
    native: { asset: 'SOL', decimals: 9 },
    key: 'treasury',
    confirmations: 32,
    finalAfterMs: FINAL_BLOCKS * SLOT_MS,
    explorerTxUrl: 'https://explorer.example/tx/{hash}',
    agreeFromMinor: LARGE_NAIRA * 10n ** BigInt(DECIMALS),
    marks: { tokenMinor: 0n, nativeMinor: 0n },
    batch: 10,
    token: mint,
    offCurve: 'accept',
    priorityFee: 1_000n,
    priorityFeeCap: 50_000n,
    acceptPowers: [],
  };
}
