// Signs the one-time set-up of a network step by step; each step waits until the previous one is final. The steps use sequence
// numbers of the paying wallet, so nothing else may be signed from it meanwhile. Each transaction is stored and its hash is
// shown before the broadcast. Its cost is posted when it ends. Nothing is signed again automatically.
import type { SignedSetUp } from '../../domain/records/movement.ts';
import type { Mode } from '../../domain/values/mode.ts';
import { fail, ok, type Result } from '../../domain/values/result.ts';
import type { BackOffice } from '../../ports/back-office.ts';
import type { Clock } from '../../ports/clock.ts';
import type { SendStatus, SignedTransaction, WalletTurn } from '../../ports/networks/network-payer.ts';
import type { NetworkSetUp, SetUpRecords, SetUpState, SetUpStep } from '../../ports/networks/set-up.ts';
import { SigningRefused } from '../../ports/signer.ts';
import type { Store } from '../../ports/store/store.ts';
import { NO_WALLET_TURN } from '../engine/wallet-locks.ts';
import { signerTurnName } from '../movements/sends/sign-payments.ts';
import { settleSetUp, toSignedTransaction } from './settle-set-ups.ts';

export interface SetUpNetworkDeps {
  readonly store: Pick<Store, 'holdFeed' | 'turnOf' | 'commit'>;
  readonly setUps: SetUpRecords;
  readonly backOffice: Pick<BackOffice, 'movementsPaused'>;
  readonly clock: Clock;
  readonly sleep: (ms: number) => Promise<void>;
  readonly holder: string;
  readonly leaseMs: number;
  readonly patienceMs: number;
  readonly print: (line: string) => void;
  readonly coins: (amountMinor: bigint) => string;
}

const LOOK_AGAIN_MS = 500;
/** The maximum time by which a provider may be behind the final state of another provider. */
const SEEN_WITHIN_MS = 30_000;
const OFFER_AGAIN_MS = 10_000;

type SetUpOutcome<Value> = Result<Value, string>;

export async function setUpNetwork(
  deps: SetUpNetworkDeps,
  mode: Mode,
  setUp: NetworkSetUp,
): Promise<SetUpOutcome<SetUpState>> {
  const done = new Set<string>();
  const hold = makeWalletHold(deps, mode, setUp);
  try {
    for (let first = true; ; first = false) {
      const turn = await takeWalletTurn(deps, hold, mode, setUp);
      if (!turn.ok) return turn;
      const left = first ? await finishEarlierSetUps(deps, hold, mode, setUp, done) : ok(undefined);
      if (!left.ok) return left;
      const state = await readStateAfterSteps(deps, hold, setUp, done);
      const [step] = state.steps;
      if (step === undefined) return ok(state);
      if (done.has(step.what))
        return fail(
          `This step is final, but the providers do not show it yet: ${step.what}. Check again later.`,
        );
      const ended = await carryOutStep(deps, hold, mode, setUp, state, step, turn.value);
      if (!ended.ok) return ended;
      done.add(step.what);
    }
  } finally {
    await hold.end();
  }
}

interface WalletHold {
  /** Takes or renews the turn. Returns false while another process has it. */
  keep(): Promise<boolean>;
  end(): Promise<void>;
}

function makeWalletHold(
  { store, clock, holder, leaseMs }: SetUpNetworkDeps,
  mode: Mode,
  setUp: NetworkSetUp,
): WalletHold {
  if (setUp.orderedBy === null) return { keep: async () => true, end: async () => undefined };
  const take = (forMs: number) =>
    store
      .holdFeed(signerTurnName(mode, setUp.name), holder, clock.now(), forMs)
      .then((hold) => hold !== undefined);
  return {
    keep: () => take(leaseMs),
    // If the turn cannot be released here, it expires by itself.
    end: () =>
      take(0).then(
        () => undefined,
        () => undefined,
      ),
  };
}

/** Takes the turn of the wallet. No payment may be in progress, and no payment may start meanwhile. */
async function takeWalletTurn(
  deps: SetUpNetworkDeps,
  hold: WalletHold,
  mode: Mode,
  { name, orderedBy }: NetworkSetUp,
): Promise<SetUpOutcome<WalletTurn>> {
  const { store, backOffice, clock, sleep, leaseMs } = deps;
  if (orderedBy === null) return ok(NO_WALLET_TURN);
  // The process that signed last keeps the turn for a while.
  for (const giveUpAtMs = clock.now() + 2 * leaseMs; !(await hold.keep()); await sleep(LOOK_AGAIN_MS))
    if (clock.now() > giveUpAtMs)
      return fail(
        `The service is signing for ${orderedBy} on ${name}. Stop it, or pause it: bin/sliproad movements pause`,
      );
  const turn = await store.turnOf(mode, name, orderedBy);
  if (turn.live > 0)
    return fail(
      `Payments of ${orderedBy} on ${name} are in progress (${turn.live}), and this transaction would interfere. Wait until they are final (with ` +
        'movements not paused), then: bin/sliproad movements pause',
    );
  // If a wallet has never paid, no process can be about to pay from it.
  if (turn.lastSequence !== null && !(await backOffice.movementsPaused()))
    return fail(`${orderedBy} pays on ${name}. Pause movements first: bin/sliproad movements pause`);
  return ok(turn);
}

/** After a step, waits until the providers show it, because one provider may be behind another. */
async function readStateAfterSteps(
  { clock, sleep }: SetUpNetworkDeps,
  hold: WalletHold,
  setUp: NetworkSetUp,
  done: ReadonlySet<string>,
): Promise<SetUpState> {
  if (done.size === 0) return setUp.look();
  for (const giveUpAtMs = clock.now() + SEEN_WITHIN_MS; ; await sleep(LOOK_AGAIN_MS)) {
    const last = clock.now() > giveUpAtMs;
    const state = await (last ? setUp.look() : setUp.look().catch(() => undefined));
    if (state !== undefined && (last || !done.has(state.steps[0]?.what ?? ''))) return state;
    await hold.keep();
  }
}

/**
 * Ends the transactions of an earlier run. Each of them must have landed in the network, or be unable to land, before the
 * service signs anything new.
 */
async function finishEarlierSetUps(
  deps: SetUpNetworkDeps,
  hold: WalletHold,
  mode: Mode,
  setUp: NetworkSetUp,
  done: Set<string>,
): Promise<SetUpOutcome<undefined>> {
  const open = (await deps.setUps.open()).filter(
    (each) => each.mode === mode && each.network === setUp.name && each.source === setUp.wallet,
  );
  for (const signed of open) {
    deps.print(`Already signed: ${signed.what}`);
    deps.print(`  ${signed.hash}`);
    const prepared = toSignedTransaction(signed);
    const status = await broadcastUntilEnded(deps, hold, setUp, prepared);
    await settleSetUp(deps, signed, status);
    if (status.kind === 'final') done.add(signed.what);
    // If the network knows the bytes but their fee is too low, the run continues. The next signature uses the same sequence
    // number, and only one of the two transactions lands.
    if (status.kind === 'unknown') return outcomeOf(prepared, status, setUp.explorerUrl(signed.hash));
  }
  return ok(undefined);
}

async function carryOutStep(
  deps: SetUpNetworkDeps,
  hold: WalletHold,
  mode: Mode,
  setUp: NetworkSetUp,
  state: SetUpState,
  step: SetUpStep,
  turn: WalletTurn,
): Promise<SetUpOutcome<undefined>> {
  const { what, costMinor } = step;
  if (state.nativeMinor < costMinor)
    return fail(
      `${setUp.wallet} has ${deps.coins(state.nativeMinor)} free, but this costs up to ${deps.coins(costMinor)}: ${what}`,
    );
  let prepared: SignedTransaction;
  try {
    prepared = await step.sign(turn);
  } catch (error) {
    if (error instanceof SigningRefused) return fail(error.message);
    throw error;
  }
  if (!(await hold.keep()))
    return fail('Another process took over before anything was broadcast. Nothing was changed.');
  const signed: SignedSetUp = { ...prepared, mode, network: setUp.name, what };
  const [stored] = await deps.store.commit([{ atMs: deps.clock.now(), setUps: [signed] }]);
  if (stored?.kind !== 'committed')
    return fail('The transaction could not be saved, so it was not broadcast. Nothing was changed.');
  deps.print(`Signed: ${what}`);
  deps.print(`  ${prepared.hash}`);
  const url = setUp.explorerUrl(prepared.hash);
  if (url !== null) deps.print(`  ${url}`);
  const status = await broadcastUntilEnded(deps, hold, setUp, prepared);
  await settleSetUp(deps, signed, status);
  return outcomeOf(prepared, status, url);
}

/** Offers the same bytes until their outcome is known or the time limit is reached. */
async function broadcastUntilEnded(
  { clock, sleep, patienceMs }: SetUpNetworkDeps,
  hold: WalletHold,
  setUp: NetworkSetUp,
  prepared: SignedTransaction,
): Promise<SendStatus> {
  const giveUpAtMs = clock.now() + patienceMs;
  let offeredAtMs = clock.now();
  await setUp.broadcast(prepared);
  for (;;) {
    const status = await setUp.ask({ versions: [prepared], orderIds: [] });
    if (END_STATUSES.has(status.kind) || clock.now() > giveUpAtMs) return status;
    if (status.kind !== 'included' && clock.now() - offeredAtMs > OFFER_AGAIN_MS) {
      offeredAtMs = clock.now();
      await setUp.broadcast(prepared);
    }
    await sleep(LOOK_AGAIN_MS);
    // The bytes are already sent, so the process waits for their outcome even if it loses the turn.
    await hold.keep().catch(() => false);
  }
}

const END_STATUSES: ReadonlySet<SendStatus['kind']> = new Set(['final', 'failed', 'dead', 'held']);

function outcomeOf(
  { hash }: SignedTransaction,
  status: SendStatus,
  url: string | null,
): SetUpOutcome<undefined> {
  switch (status.kind) {
    case 'final':
      return ok(undefined);
    case 'failed':
      return fail(
        `${hash} failed (${status.reason}): only its fee was charged. Nothing is signed again automatically.`,
      );
    case 'dead':
      return fail(`${hash} was not included in time and can no longer land. Nothing was changed; try again.`);
    case 'held':
      return fail(
        `${hash} can no longer land: ${status.reason}. To see the remaining steps, run the command without --yes.`,
      );
    default: {
      const why = status.kind === 'unknown' ? status.reason : 'it is not final';
      return fail(
        `The outcome of ${hash} is not known yet (${why}). It may still land: check ${url ?? 'an explorer'}, and start or resume ` +
          'nothing that pays from this wallet before then. Afterwards, run the command without --yes to see the remaining steps.',
      );
    }
  }
}
