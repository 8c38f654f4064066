// Compares the balances of the paying wallets on their chains with the books. While payments are in progress, the two never
// match exactly, so the result has bounds for the balance. For the native coin, the books contain the network fees and the
// returned coin. The amounts that people added are computed from the balance.
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
    readonly freeMinor: bigint;
    /** The tokens that are reserved for payments, if it is not known that any network has received the payment. */
    readonly reservedMinor: bigint;
    /** The tokens that were sent, but whose transactions are not final yet. */
    readonly inFlightMinor: bigint;
  };
  /** The movements of the native coin since the start of these books. */
  readonly coin: {
    /** The network fees, and the cost of opening token accounts. */
    readonly spentMinor: bigint;
    /** The coin that came back from closed deposit accounts. */
    readonly gainedMinor: bigint;
    /** The balance plus the spent coin minus the returned coin: the initial balance and the amounts that people added. */
    readonly putInMinor: bigint;
  };
  readonly unsweptMinor: bigint;
  readonly low: readonly ('token' | 'native')[];
  /**
   * The difference between the balance on the chain and the balance that the books explain, or 0 if there is none. A negative
   * difference means that tokens are missing.
   */
  readonly unexplainedMinor: bigint;
}

export interface TreasuryDeps {
  readonly networks: Networks;
  readonly store: Pick<Store, 'balances'>;
  readonly ledgerAudit: Pick<LedgerAudit, 'unswept' | 'idle'>;
}

export type TreasuryReading =
  | TreasuryState
  /** No provider responded. */
  | { readonly mode: Mode; readonly network: string; readonly problem: string };

/**
 * Reads how much less a wallet holds than it must hold. The result is 0 if nothing is missing, or if the wallet cannot run out.
 */
export async function readShortage(deps: TreasuryDeps, mode: Mode, network: Network): Promise<bigint> {
  const reading = await readTreasury(deps, mode, network, await deps.ledgerAudit.unswept());
  return reading === undefined || reading.unexplainedMinor >= 0n ? 0n : -reading.unexplainedMinor;
}

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

/** Returns undefined if the treasury cannot run out. Rejects if no provider responds. */
export async function readTreasury(
  { store, ledgerAudit }: TreasuryDeps,
  mode: Mode,
  { name, asset, treasury }: Network,
  unswept: ReadonlyMap<string, bigint>,
): Promise<TreasuryState | undefined> {
  const chain = await treasury();
  if (chain === null) return undefined;
  const unsweptMinor = unswept.get(`${mode} ${name}`) ?? 0n;
  // This is read after the chain. Tokens whose bytes are already signed no longer count as idle, even if the bytes land in the
  // network later.
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
 * The wallet must hold the free tokens, plus the reserved tokens whose orders have no signed bytes in progress, minus the
 * tokens at deposit addresses. Tokens in flight may or may not have left the wallet.
 */
function computeUnexplained(
  tokenMinor: bigint,
  { freeMinor, reservedMinor, inFlightMinor }: TreasuryState['books'],
  unsweptMinor: bigint,
  idleMinor: bigint,
): bigint {
  const most = freeMinor + reservedMinor + inFlightMinor;
  // The amount of idle tokens counts at most up to the reserved amount. If tokens became idle after the books were read, the
  // books that were read do not contain them.
  const least = freeMinor + (idleMinor < reservedMinor ? idleMinor : reservedMinor) - unsweptMinor;
  if (tokenMinor > most) return tokenMinor - most;
  if (tokenMinor < least) return tokenMinor - least;
  return 0n;
}
