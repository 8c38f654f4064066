// Plays the scenarios of test transactions: it performs the next step of each scenario on the simulated bank and networks. A
// step may be repeated after a crash, so the ids of everything that it does contain the id of the transaction.
import { bankReference } from '../../domain/records/movement.ts';
import type { Transaction } from '../../domain/records/transaction.ts';
import { idBody } from '../../domain/values/ids.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  Play,
  Plays,
  Sandbox,
  SandboxCredit,
  SandboxDeposit,
  Scenario,
  TesterCredit,
} from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store/store.ts';

export interface PlayScenariosDeps {
  readonly plays: Plays;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly store: Pick<Store, 'transactionsById' | 'movementsOf'>;
}

type SandboxAction =
  | {
      readonly kind: 'pay_in';
      readonly id: string;
      readonly credit: SandboxCredit;
      readonly copies: number;
    }
  | { readonly kind: 'reverse' }
  | { readonly kind: 'deposit'; readonly id: string; readonly deposit: SandboxDeposit }
  | { readonly kind: 'return_payout' };

/** The actions of the current step and the time of the next step. The time is null if the scenario has ended. */
interface ScenarioScene {
  readonly actions: readonly SandboxAction[];
  readonly nextAtMs: number | null;
}

const DIFFERENCE_NAIRA = 100n;
const LOOK_AGAIN_MS = 300;
/** After this many checks, a scenario that waits for a missing event checks less often. */
const EAGER_LOOKS = 100;
const LOOK_RARELY_MS = 30_000;
const UNNAMED_PAYER = 'SANDBOX PAYER';
const OTHER_PAYER = 'TOTALLY UNRELATED STRANGER';

export async function playScenarios(
  deps: PlayScenariosDeps,
  request: { readonly limit: number; readonly leaseMs: number },
): Promise<number> {
  const leased = await deps.plays.lease({ atMs: deps.clock.now(), ...request });
  const transactions = await deps.store.transactionsById(leased.map(({ transactionId }) => transactionId));
  const played = await Promise.allSettled(
    leased.map((play) => playNextScene(deps, play, transactions.get(play.transactionId))),
  );
  // All other scenarios were processed before this error is thrown. The failed scenario is due again when its lease ends.
  for (const outcome of played) if (outcome.status === 'rejected') throw outcome.reason;
  return leased.length;
}

async function playNextScene(
  deps: PlayScenariosDeps,
  play: Play,
  transaction: Transaction | undefined,
): Promise<void> {
  if (transaction === undefined) return deps.plays.move(play, null);
  const scene = nextScene(play, transaction, deps.clock.now());
  for (const action of scene.actions) {
    if (!(await carryOutAction(deps, transaction, action))) {
      return deps.plays.move(play, scheduleNextLook(play, deps.clock.now()));
    }
  }
  const { nextAtMs } = scene;
  await deps.plays.move(play, nextAtMs === null ? null : { step: play.step + 1, dueAtMs: nextAtMs });
}

async function carryOutAction(
  deps: PlayScenariosDeps,
  transaction: Transaction,
  action: SandboxAction,
): Promise<boolean> {
  switch (action.kind) {
    case 'pay_in':
      await deps.sandbox.payIn(action.id, action.credit, action.copies);
      return true;
    case 'reverse':
      return deps.sandbox.reverse(testerOf(transaction));
    case 'deposit':
      // On a network with real tokens, a scenario sends no tokens.
      if (deps.sandbox.sendsOn(action.deposit.network)) await deps.sandbox.deposit(action.id, action.deposit);
      return true;
    case 'return_payout': {
      const reference = await payoutReference(deps, transaction.id);
      return reference !== undefined && deps.sandbox.returnPayout(reference);
    }
  }
}

/** Returns the service's reference at the bank for the payout of a sell. Returns undefined while there is no payout. */
async function payoutReference(
  { store }: PlayScenariosDeps,
  transactionId: string,
): Promise<string | undefined> {
  const payout = (await store.movementsOf([transactionId])).find(({ kind }) => kind === 'payout');
  return payout && bankReference(payout.id);
}

function scheduleNextLook(play: Play, nowMs: number): { step: number; dueAtMs: number } {
  return { step: play.step + 1, dueAtMs: nowMs + (play.step < EAGER_LOOKS ? LOOK_AGAIN_MS : LOOK_RARELY_MS) };
}

function nextScene(play: Play, transaction: Transaction, nowMs: number): ScenarioScene {
  const { scenario, step } = play;
  const pay = paymentActions(scenario, transaction);
  if (scenario === 'late' || (scenario === 'deposit_late' && transaction.type === 'sell')) {
    return lateScene(play, transaction, pay, nowMs);
  }
  const ending = findEnding(scenario, transaction);
  if (step === 0) return { actions: pay, nextAtMs: ending === undefined ? null : nowMs + LOOK_AGAIN_MS };
  if (ending === undefined) return { actions: [], nextAtMs: null };
  if (ending.when === 'completed' && transaction.state !== 'completed') {
    const over = hasEnded(transaction);
    return { actions: [], nextAtMs: over ? null : scheduleNextLook(play, nowMs).dueAtMs };
  }
  return { actions: ending.actions, nextAtMs: null };
}

/** In this scenario a payment arrives late. The transaction cannot expire before its time, so the scenario waits until then. */
function lateScene(
  play: Play,
  transaction: Transaction,
  pay: readonly SandboxAction[],
  nowMs: number,
): ScenarioScene {
  const { state, expiresAtMs } = transaction;
  if (state === 'expired') return { actions: pay, nextAtMs: null };
  if (!state.startsWith('awaiting_')) return { actions: [], nextAtMs: null };
  return { actions: [], nextAtMs: Math.max(scheduleNextLook(play, nowMs).dueAtMs, expiresAtMs) };
}

function findEnding(
  scenario: Scenario,
  transaction: Transaction,
): { readonly when: 'completed' | 'at_once'; readonly actions: readonly SandboxAction[] } | undefined {
  if (transaction.type === 'buy') {
    if (scenario !== 'reversed') return undefined;
    return { when: 'completed', actions: [{ kind: 'reverse' }] };
  }
  if (scenario === 'payout_returned') return { when: 'completed', actions: [{ kind: 'return_payout' }] };
  // Two deposits with the same id are the same tokens, reported again.
  if (scenario === 'duplicate') return { when: 'at_once', actions: paymentActions(scenario, transaction) };
  return undefined;
}

function hasEnded({ state }: Transaction): boolean {
  return ['expired', 'cancelled', 'rejected', 'refunded', 'payout_failed'].includes(state);
}

function paymentActions(scenario: Scenario, transaction: Transaction): readonly SandboxAction[] {
  return transaction.type === 'buy'
    ? creditActions(scenario, transaction)
    : depositActions(scenario, transaction);
}

function creditActions(scenario: Scenario, transaction: Transaction): readonly SandboxAction[] {
  const { vendor, accountNumber, accountName, bankName, amountMinor } = transaction;
  if (vendor === null) return [];
  const differenceMinor = DIFFERENCE_NAIRA * 100n;
  const credit: SandboxCredit = {
    tester: testerOf(transaction),
    accountNumber: vendor.number,
    accountBankCode: null,
    amountMinor:
      scenario === 'underpaid'
        ? shortBy(amountMinor, differenceMinor)
        : amountMinor + (scenario === 'overpaid' ? differenceMinor : 0n),
    payerAccount: accountNumber,
    payerBankName: bankName,
    payerName: scenario === 'name_mismatch' ? OTHER_PAYER : (accountName ?? UNNAMED_PAYER),
    narration: null,
    sessionId: null,
  };
  const copies = scenario === 'duplicate' ? 2 : 1;
  return [{ kind: 'pay_in', id: actionIdOf(transaction, 'credit'), credit, copies }];
}

function depositActions(scenario: Scenario, transaction: Transaction): readonly SandboxAction[] {
  const instruction = transaction.deposits[0];
  if (instruction === undefined) return [];
  const { network, address, memo, decimals, expectedToken } = instruction;
  const difference = DIFFERENCE_NAIRA * 10n ** BigInt(decimals);
  return depositAmounts(scenario, expectedToken, difference).map((amountMinor, index) => ({
    kind: 'deposit',
    id: actionIdOf(transaction, `deposit-${index + 1}`),
    deposit: { network, address, memo, amountMinor },
  }));
}

function depositAmounts(scenario: Scenario, expected: bigint, difference: bigint): readonly bigint[] {
  switch (scenario) {
    case 'underpaid':
    case 'deposit_short':
      return [shortBy(expected, difference)];
    case 'overpaid':
    case 'deposit_over':
      return [expected + difference];
    case 'deposit_split': {
      const half = expected / 2n;
      return [half, expected - half];
    }
    default:
      return [expected];
  }
}

function shortBy(amount: bigint, difference: bigint): bigint {
  return amount > difference ? amount - difference : amount / 2n;
}

/** Returns the id of a credit, which is the same if the step is repeated. A tester can use this id to reverse the payment. */
function testerOf({ id, businessId }: Transaction): TesterCredit {
  return { businessId, creditId: `crd_${idBody(id)}` };
}

function actionIdOf({ id }: Transaction, what: string): string {
  return `${id}-${what}`;
}
