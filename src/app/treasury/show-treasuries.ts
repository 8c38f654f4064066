// Shows the operator the treasuries of one mode: the chain compared with the books, the reasons that stop sends, the state of
// the providers, and the last outflows. If the providers of a network do not respond, the page shows only the books of the
// network.
import type { Attempt, Movement } from '../../domain/records/movement.ts';
import { lagosDay } from '../../domain/values/calendar.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { tokenAsset } from '../../domain/values/money.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Halt, LedgerAudit } from '../../ports/ledger.ts';
import type { DisabledNetwork, Network } from '../../ports/networks/network.ts';
import type { ProviderState } from '../../ports/networks/network-watch.ts';
import type { Store } from '../../ports/store/store.ts';
import type { SigningCaps, TreasuryStore } from '../../ports/treasury.ts';
import { readTreasury, type TreasuryDeps, type TreasuryState, treasuryBookKeys } from './read-treasuries.ts';

export interface ShowTreasuriesDeps extends Pick<TreasuryDeps, 'networks'> {
  readonly clock: Clock;
  readonly store: Pick<Store, 'balances' | 'lastAttempts' | 'transactionsById'>;
  readonly ledgerAudit: Pick<LedgerAudit, 'unswept' | 'idle' | 'listHalts'>;
  readonly treasuryDesk: TreasuryStore;
}

export interface ShownSend {
  readonly movement: Movement;
  /** The hash of the transaction on its network. Null before the first signature. */
  readonly hash: string | null;
  readonly explorerUrl: string | null;
}

export interface ShownTreasury {
  readonly network: string;
  readonly asset: Network['asset'];
  readonly books: TreasuryState['books'];
  /** Null if the network is simulated, or if no provider responded. */
  readonly chain: TreasuryState | null;
  readonly readAtMs: number;
  /** The reason why the chain could not be read. Null if it was read, or if there is no chain. */
  readonly problem: string | null;
  readonly halt: Halt | null;
  readonly caps: SigningCaps | null;
  readonly providers: readonly ProviderState[];
  readonly sends: readonly ShownSend[];
}

export interface ShownTreasuries {
  readonly treasuries: readonly ShownTreasury[];
  readonly disabled: readonly DisabledNetwork[];
  readonly withdrawals: readonly ShownSend[];
}

const SENDS = 10;
const WITHDRAWALS = 20;

export async function showTreasuries(deps: ShowTreasuriesDeps, mode: Mode): Promise<ShownTreasuries> {
  const halts = (await deps.ledgerAudit.listHalts()).filter((each) => each.mode === mode);
  const unswept = await deps.ledgerAudit.unswept();
  const enabled = deps.networks.enabled(mode);
  const treasuries = await Promise.all(
    enabled.map((network) => showTreasury(deps, mode, network, halts, unswept)),
  );
  const withdrawals = await deps.treasuryDesk.lastWithdrawals(mode, WITHDRAWALS);
  return {
    treasuries,
    disabled: deps.networks.disabled(mode),
    withdrawals: await showSends(deps, mode, withdrawals),
  };
}

async function showTreasury(
  deps: ShowTreasuriesDeps,
  mode: Mode,
  network: Network,
  halts: readonly Halt[],
  unswept: ReadonlyMap<string, bigint>,
): Promise<ShownTreasury> {
  const { name, asset } = network;
  const token = tokenAsset(asset.code, name);
  const [reading, providers] = await Promise.all([
    readTreasury(deps, mode, network, unswept).then(
      (state) => ({ chain: state ?? null, problem: null }),
      (error: Error) => ({ chain: null, problem: error.message }),
    ),
    network.providers(),
  ]);
  const movements = await deps.treasuryDesk.lastMovements(mode, name, SENDS);
  return {
    network: name,
    asset,
    books: reading.chain?.books ?? (await readBooks(deps, mode, token)),
    ...reading,
    readAtMs: deps.clock.now(),
    halt: halts.find((each) => each.asset === token) ?? null,
    caps: await deps.treasuryDesk.caps(mode, name, lagosDay(deps.clock.now())),
    providers,
    sends: await showSends(deps, mode, movements),
  };
}

async function readBooks(
  { store }: ShowTreasuriesDeps,
  mode: Mode,
  token: string,
): Promise<TreasuryState['books']> {
  const keys = treasuryBookKeys(mode, token);
  const balances = await store.balances(Object.values(keys));
  const of = (name: keyof typeof keys) => balances.get(keys[name]) ?? 0n;
  return {
    freeMinor: of('freeMinor'),
    reservedMinor: of('reservedMinor'),
    inFlightMinor: of('inFlightMinor'),
  };
}

/**
 * Adds the hashes of the network transactions. If a send was signed again with a higher fee, the transaction record contains
 * the hash that landed.
 */
async function showSends(
  { store, networks }: ShowTreasuriesDeps,
  mode: Mode,
  movements: readonly Movement[],
): Promise<ShownSend[]> {
  if (movements.length === 0) return [];
  const attempts = await store.lastAttempts(movements.map(({ id }) => id));
  const buys = movements.flatMap(({ kind, transactionId: id }) =>
    kind === 'send' && id !== null ? [id] : [],
  );
  const transactions = await store.transactionsById(buys);
  return movements.map((movement) => {
    const known = transactions.get(movement.transactionId ?? '')?.txHash;
    const hash = known ?? hashOf(attempts.get(movement.id));
    const network = networks.find(mode, movement.network ?? '');
    return { movement, hash, explorerUrl: hash === null ? null : (network?.explorerUrl(hash) ?? null) };
  });
}

function hashOf(attempt: Attempt | undefined): string | null {
  return attempt === undefined || attempt.network === null ? null : attempt.reference;
}
