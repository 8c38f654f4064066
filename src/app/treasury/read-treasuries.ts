// The balances of the paying wallets according to their chains, compared with the books. While payments are in progress, the two
// never match exactly; the result contains the bounds for the balance. For the native coin, the books contain the network fees
// and the returned coin, but not the amounts that people added: those are the rest.
import { ledgerKey } from '../../domain/ledger/chart-of-accounts.ts';
import { MODES, type Mode } from '../../domain/values/mode.ts';
import { tokenAsset } from '../../domain/values/money.ts';
import type { LedgerAudit } from '../../ports/ledger.ts';
import type { Network, Networks } from '../../ports/networks/network.ts';
import type { Treasury } from '../../ports/networks/network-watch.ts';
import type { Store } from '../../ports/store/store.ts';

export interface TreasuryState {
  readonly mode: Mode;
  readonly network: string;
  readonly asset: { readonly code: string; readonly decimals: number };
  readonly chain: Treasury;
  readonly books: {
    /** Free to be sent. */
    readonly freeMinor: bigint;
    /** Reserved for payments that are not known to have reached any network. */
    readonly reservedMinor: bigint;
    /** Sent, but not final yet. */
    readonly inFlightMinor: bigint;
  };
  /** The native coin, since the start of these books. */
  readonly coin: {
    /** Fees, and the cost of opening token accounts. */
    readonly spentMinor: bigint;
    /** The coin from closed deposit accounts. */
    readonly gainedMinor: bigint;
    /** The balance without these two: top-ups by people, and the initial balance. */
    readonly putInMinor: bigint;
  };
  /** The tokens at deposit addresses that are not yet swept. */
  readonly unsweptMinor: bigint;
  readonly low: readonly ('token' | 'native')[];
  /** The difference between the chain and what the books explain; 0 if there is none. */
  readonly unexplainedMinor: bigint;
}

export interface TreasuryDeps {
  readonly networks: Networks;
  readonly store: Pick<Store, 'balances'>;
  readonly ledgerAudit: Pick<LedgerAudit, 'unswept' | 'idle'>;
}

export type TreasuryReading =
  | TreasuryState
  /** No provider answered. */
  | { readonly mode: Mode; readonly network: string; readonly problem: string };

/** Reads how much less a wallet holds than it must; 0 if nothing is missing, or if the wallet cannot run out. */
export async function readShortage(deps: TreasuryDeps, mode: Mode, network: Network): Promise<bigint> {
  const reading = await readTreasury(deps, mode, network, await deps.ledgerAudit.unswept());
  return reading === undefined || reading.unexplainedMinor >= 0n ? 0n : -reading.unexplainedMinor;
}

/** Reads every treasury that can run out. */
export async function readTreasuries(deps: TreasuryDeps): Promise<readonly TreasuryReading[]> {
  const unswept = await deps.ledgerAudit.unswept();
  const all = MODES.flatMap((mode) => deps.networks.enabled(mode).map((network) => ({ mode, network })));
  const readings = await Promise.all(
    all.map(async ({ mode, network }) => {
      try {
        return await readTreasury(deps, mode, network, unswept);
      } catch (error) {
        return { mode, network: network.name, problem: (error as Error).message };
      }
    }),
  );
  return readings.filter((reading) => reading !== undefined);
}

/** Undefined if the treasury cannot run out. Rejects when no provider answers. */
export async function readTreasury(
  { store, ledgerAudit }: TreasuryDeps,
  mode: Mode,
  { name, asset, treasury }: Network,
  unswept: ReadonlyMap<string, bigint>,
): Promise<TreasuryState | undefined> {
  const chain = await treasury();
  if (chain === null) return undefined;
  const unsweptMinor = unswept.get(`${mode} ${name}`) ?? 0n;
  // Read after the chain: bytes that are already signed are no longer idle, even if they land later.
  const idleMinor = (await ledgerAudit.idle()).get(`${mode} ${name}`) ?? 0n;
  const native = tokenAsset(chain.native.asset, name);
  const keys = {
    ...treasuryBookKeys(mode, tokenAsset(asset.code, name)),
    spentMinor: ledgerKey(mode, native, 'network_costs'),
    gainedMinor: ledgerKey(mode, native, 'coin_in'),
  };
  const balances = await store.balances(Object.values(keys));
  const balance = (of: keyof typeof keys) => balances.get(keys[of]) ?? 0n;
  const books = {
    freeMinor: balance('freeMinor'),
    reservedMinor: balance('reservedMinor'),
    inFlightMinor: balance('inFlightMinor'),
  };
  const [spentMinor, gainedMinor] = [balance('spentMinor'), balance('gainedMinor')];
  const heldMinor = chain.native.amountMinor + chain.native.lockedMinor;
  return {
    mode,
    network: name,
    asset,
    chain,
    books,
    coin: { spentMinor, gainedMinor, putInMinor: heldMinor + spentMinor - gainedMinor },
    unsweptMinor,
    low: [
      ...(chain.tokenMinor < chain.marks.tokenMinor ? ['token' as const] : []),
      ...(chain.native.amountMinor < chain.marks.nativeMinor ? ['native' as const] : []),
    ],
    unexplainedMinor: computeUnexplained(chain.tokenMinor, books, unsweptMinor, idleMinor),
  };
}

/** The accounts that show the balance of a treasury. */
export function treasuryBookKeys(
  mode: Mode,
  token: string,
): Readonly<Record<keyof TreasuryState['books'], string>> {
  return {
    freeMinor: ledgerKey(mode, token, 'treasury'),
    reservedMinor: ledgerKey(mode, token, 'reserved'),
    inFlightMinor: ledgerKey(mode, token, 'sent'),
  };
}

/**
 * The wallet must hold the free tokens, and the tokens reserved for orders without signed bytes in progress, minus the tokens at
 * deposit addresses. Tokens in flight may or may not have left the wallet.
 */
function computeUnexplained(
  tokenMinor: bigint,
  { freeMinor, reservedMinor, inFlightMinor }: TreasuryState['books'],
  unsweptMinor: bigint,
  idleMinor: bigint,
): bigint {
  const most = freeMinor + reservedMinor + inFlightMinor;
  // At most the reserved amount: tokens that became idle after the books were read are not in the books that were read.
  const least = freeMinor + (idleMinor < reservedMinor ? idleMinor : reservedMinor) - unsweptMinor;
  if (tokenMinor > most) return tokenMinor - most;
  if (tokenMinor < least) return tokenMinor - least;
  return 0n;
}
