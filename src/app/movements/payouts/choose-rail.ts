// Chooses the rail for a payout from the routing table and the current rails. The rail must know the owner of the account. The
// service chooses a rail when it makes an attempt; later it looks up the rail of the attempt by name.
import { accountDetail, ledgerKey } from '../../../domain/ledger/chart-of-accounts.ts';
import type { LiveAttempt } from '../../../domain/movements/steps.ts';
import { chooseRail, type PayoutFacts, type SkippedRail } from '../../../domain/rails/choose-rail.ts';
import { capUsage, usageKey } from '../../../domain/rails/settings.ts';
import type { LimitUsage } from '../../../domain/records/change.ts';
import type { AccountDestination, Attempt, Movement } from '../../../domain/records/movement.ts';
import { lagosDay } from '../../../domain/values/calendar.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import { NAIRA } from '../../../domain/values/money.ts';
import type { PayingRail, Rail, RailRegistry } from '../../../ports/rails/rail.ts';
import { checkPayoutAccount, type PayoutAccountCheck } from '../../account-lookups/check-payout-account.ts';
import type { PickDeps } from '../../engine/deps.ts';

export interface ChosenRail {
  readonly kind: 'chosen';
  readonly rail: PayingRail;
  /** The amount that counts against the cap of the rail. The commit that opens the attempt records it. */
  readonly usage: readonly LimitUsage[];
}

export type RailChoice = ChosenRail | { readonly kind: 'none'; readonly why: readonly SkippedRail[] };

export interface RailChooser {
  /** Chooses a rail for each payout in order. A later choice cannot use the money and the cap that an earlier choice used. */
  choose(mode: Mode, payout: PayoutFacts): RailChoice;
}

type ChooseRailDeps = PickDeps<'banks' | 'catalogue' | 'clock' | 'entropy' | 'store'>;

/** The service must not choose the rails in `tried`. */
export function payoutFactsOfMovement(
  { nairaMinor, destination }: Movement,
  tried: readonly string[],
): PayoutFacts {
  return { amountMinor: nairaMinor, bankCode: (destination as AccountDestination).bankCode, tried };
}

/** Reads the free money and the used caps once for all payouts of a batch. The commit checks both again. */
export async function openRailChooser(deps: ChooseRailDeps, modes: readonly Mode[]): Promise<RailChooser> {
  const { routes, caps, pauses } = deps.catalogue().rails;
  const atMs = deps.clock.now();
  const rails = [...new Set(modes)].flatMap((mode) =>
    deps.banks.enabled(mode).flatMap((rail) => (isPayingRail(rail) ? [{ mode, rail }] : [])),
  );
  const free = new Map(
    await deps.store.balances([...new Set(rails.map(({ mode, rail }) => floatAccountOf(mode, rail)))]),
  );
  const left = await readCapLeftToday(deps, caps, atMs);
  const isPaused = (mode: Mode, rail: string) =>
    pauses.some((pause) => pause.mode === mode && pause.rail === rail);
  return {
    choose: (mode, payout) => {
      const own = rails.flatMap((each) => (each.mode === mode ? [each.rail] : []));
      const facts = own.map((rail) => ({
        rail: rail.name,
        isPaused: isPaused(mode, rail.name),
        leftMinor: left.get(`${mode} ${rail.name}`) ?? null,
        freeMinor: free.get(floatAccountOf(mode, rail)) ?? 0n,
        reachesBank: rail.payouts.reaches(payout.bankCode),
      }));
      const table = routes.filter((route) => route.mode === mode);
      const choice = chooseRail(table, facts, payout, (below) => drawBelow(deps, below));
      if (choice.kind === 'none') return choice;
      const rail = own.find(({ name }) => name === choice.rail)!;
      const { amountMinor } = payout;
      free.set(floatAccountOf(mode, rail), free.get(floatAccountOf(mode, rail))! - amountMinor);
      const cap = caps.find((each) => each.mode === mode && each.rail === rail.name);
      if (cap === undefined) return { kind: 'chosen', rail, usage: [] };
      left.set(`${mode} ${rail.name}`, left.get(`${mode} ${rail.name}`)! - amountMinor);
      return { kind: 'chosen', rail, usage: [capUsage(cap, amountMinor, atMs)] };
    },
  };
}

async function readCapLeftToday(
  { store }: ChooseRailDeps,
  caps: ReturnType<ChooseRailDeps['catalogue']>['rails']['caps'],
  atMs: number,
): Promise<Map<string, bigint>> {
  if (caps.length === 0) return new Map();
  const used = await store.usage(
    caps.map(({ mode, rail }) => ({ businessId: usageKey(rail), mode, period: lagosDay(atMs) })),
  );
  return new Map(
    caps.map(({ mode, rail, perDayMinor }, index) => [`${mode} ${rail}`, perDayMinor - used[index]!]),
  );
}

function drawBelow({ entropy }: Pick<ChooseRailDeps, 'entropy'>, below: number): number {
  const bytes = entropy.bytes(4);
  return new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0) % below;
}

/**
 * Returns the rail to ask for the owner of an account: the preferred rail that reaches the bank. A paused rail is chosen only
 * if there is no other rail.
 */
export function chooseRailToAsk(
  { banks, catalogue }: Pick<ChooseRailDeps, 'banks' | 'catalogue'>,
  mode: Mode,
  bankCode: string,
): PayingRail | undefined {
  const { pauses } = catalogue().rails;
  const rails = banks.enabled(mode).filter(isPayingRail);
  const reaching = rails.filter(({ payouts }) => payouts.reaches(bankCode));
  const isPaused = ({ name }: Rail) => pauses.some((each) => each.mode === mode && each.rail === name);
  return reaching.find((rail) => !isPaused(rail)) ?? reaching[0];
}

/**
 * The rail that will pay must confirm the owner of the account. For each further attempt, the rail of that attempt must do so
 * again.
 */
export async function checkAccountOwner(
  deps: PickDeps<'store' | 'onTrouble'>,
  { name, payouts }: PayingRail,
  { movement, transaction }: Pick<LiveAttempt, 'movement' | 'transaction'>,
): Promise<PayoutAccountCheck> {
  if (movement.kind !== 'payout' || transaction === null) return { kind: 'clear' };
  const checked = await checkPayoutAccount(
    deps,
    payouts,
    transaction,
    movement.destination as AccountDestination,
  );
  if (checked.kind === 'unknown')
    deps.onTrouble('a rail cannot look up an account owner', { movement: movement.id, rail: name });
  return checked;
}

/**
 * Returns the rail of an attempt, even if the rail is paused. Returns undefined while the rail is not configured or makes no
 * payouts.
 */
export function findPayingRail(
  banks: Pick<RailRegistry, 'find'>,
  { mode, rail }: Pick<Attempt, 'mode' | 'rail'>,
): PayingRail | undefined {
  const found = banks.find(mode, rail!);
  return found !== undefined && isPayingRail(found) ? found : undefined;
}

export function payoutAccountOf({ account }: Rail): string | null {
  return account === null ? null : accountDetail(account.bankCode, account.number);
}

function floatAccountOf(mode: Mode, rail: Rail): string {
  return ledgerKey(mode, NAIRA, 'bank_out', payoutAccountOf(rail));
}

function isPayingRail(rail: Rail): rail is PayingRail {
  return rail.payouts !== null;
}
