// Plays the stories that test transactions were created with: does to the simulated bank and networks what the story
// says comes next. A step may be played again after a crash, so everything it does is named after the transaction.
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
  Tester,
} from '../../ports/sandbox.ts';
import type { Store } from '../../ports/store/store.ts';

export interface PlayDeps {
  readonly plays: Plays;
  readonly sandbox: Sandbox;
  readonly clock: Clock;
  readonly store: Pick<Store, 'transactionsById' | 'movementsOf'>;
}

type Action =
  | {
      readonly kind: 'pay_in';
      readonly id: string;
      readonly credit: SandboxCredit;
      readonly copies: number;
    }
  | { readonly kind: 'reverse' }
  | { readonly kind: 'deposit'; readonly id: string; readonly deposit: SandboxDeposit }
  | { readonly kind: 'return_payout' };

/** The current scene, and the time of the next; null: the story has ended. */
interface Scene {
  readonly actions: readonly Action[];
  readonly nextAtMs: number | null;
}

const DIFFERENCE_NAIRA = 100n;
const LOOK_AGAIN_MS = 300;
/** A story that waits for something that does not come looks ever more rarely. */
const EAGER_LOOKS = 100;
const LOOK_RARELY_MS = 30_000;
const UNNAMED_PAYER = 'SANDBOX PAYER';
const OTHER_PAYER = 'TOTALLY UNRELATED STRANGER';

/** Plays what is due, and answers how many stories moved. */
export async function playScenarios(
  deps: PlayDeps,
  request: { readonly limit: number; readonly leaseMs: number },
): Promise<number> {
  const leased = await deps.plays.lease({ atMs: deps.clock.now(), ...request });
  const transactions = await deps.store.transactionsById(leased.map(({ transactionId }) => transactionId));
  const played = await Promise.allSettled(
    leased.map((play) => playOne(deps, play, transactions.get(play.transactionId))),
  );
  // Others have had their turn; this one is due again when its lease ends.
  for (const outcome of played) if (outcome.status === 'rejected') throw outcome.reason;
  return leased.length;
}

async function playOne(deps: PlayDeps, play: Play, transaction: Transaction | undefined): Promise<void> {
  if (transaction === undefined) return deps.plays.move(play, null);
  const scene = sceneOf(play, transaction, deps.clock.now());
  for (const action of scene.actions) {
    if (!(await act(deps, transaction, action))) {
      return deps.plays.move(play, lookAgain(play, deps.clock.now()));
    }
  }
  const { nextAtMs } = scene;
  await deps.plays.move(play, nextAtMs === null ? null : { step: play.step + 1, dueAtMs: nextAtMs });
}

/** Performs an action; false: it was not possible yet. */
async function act(deps: PlayDeps, transaction: Transaction, action: Action): Promise<boolean> {
  switch (action.kind) {
    case 'pay_in':
      await deps.sandbox.payIn(action.id, action.credit, action.copies);
      return true;
    case 'reverse':
      return deps.sandbox.reverse(testerOf(transaction));
    case 'deposit':
      // On a network where tokens are real, a story sends none.
      if (deps.sandbox.sendsOn(action.deposit.network)) await deps.sandbox.deposit(action.id, action.deposit);
      return true;
    case 'return_payout': {
      const reference = await payoutReference(deps, transaction.id);
      return reference !== undefined && deps.sandbox.returnPayout(reference);
    }
  }
}

/** Our name at the bank for the payout of a sell; undefined while there is none. */
async function payoutReference({ store }: PlayDeps, transactionId: string): Promise<string | undefined> {
  const payout = (await store.movementsOf([transactionId])).find(({ kind }) => kind === 'payout');
  return payout && bankReference(payout.id);
}

function lookAgain(play: Play, nowMs: number): { step: number; dueAtMs: number } {
  return { step: play.step + 1, dueAtMs: nowMs + (play.step < EAGER_LOOKS ? LOOK_AGAIN_MS : LOOK_RARELY_MS) };
}

function sceneOf(play: Play, transaction: Transaction, nowMs: number): Scene {
  const { scenario, step } = play;
  const pay = payment(scenario, transaction);
  if (scenario === 'late' || (scenario === 'deposit_late' && transaction.type === 'sell')) {
    return lateScene(play, transaction, pay, nowMs);
  }
  const ending = endingOf(scenario, transaction);
  if (step === 0) return { actions: pay, nextAtMs: ending === undefined ? null : nowMs + LOOK_AGAIN_MS };
  if (ending === undefined) return { actions: [], nextAtMs: null };
  if (ending.when === 'completed' && transaction.state !== 'completed') {
    const over = isOver(transaction);
    return { actions: [], nextAtMs: over ? null : lookAgain(play, nowMs).dueAtMs };
  }
  return { actions: ending.actions, nextAtMs: null };
}

/** The late scenario: nothing can expire before its time, so the story waits until then. */
function lateScene(play: Play, transaction: Transaction, pay: readonly Action[], nowMs: number): Scene {
  const { state, expiresAtMs } = transaction;
  if (state === 'expired') return { actions: pay, nextAtMs: null };
  if (!state.startsWith('awaiting_')) return { actions: [], nextAtMs: null };
  return { actions: [], nextAtMs: Math.max(lookAgain(play, nowMs).dueAtMs, expiresAtMs) };
}

function endingOf(
  scenario: Scenario,
  transaction: Transaction,
): { readonly when: 'completed' | 'at_once'; readonly actions: readonly Action[] } | undefined {
  if (transaction.type === 'buy') {
    if (scenario !== 'reversed') return undefined;
    return { when: 'completed', actions: [{ kind: 'reverse' }] };
  }
  if (scenario === 'payout_returned') return { when: 'completed', actions: [{ kind: 'return_payout' }] };
  // Tokens given again under their name are the same tokens, reported again.
  if (scenario === 'duplicate') return { when: 'at_once', actions: payment(scenario, transaction) };
  return undefined;
}

function isOver({ state }: Transaction): boolean {
  return ['expired', 'cancelled', 'rejected', 'refunded', 'payout_failed'].includes(state);
}

function payment(scenario: Scenario, transaction: Transaction): readonly Action[] {
  return transaction.type === 'buy' ? creditOf(scenario, transaction) : depositsOf(scenario, transaction);
}

function creditOf(scenario: Scenario, transaction: Transaction): readonly Action[] {
  const { vendor, accountNumber, accountName, bankName, amountMinor } = transaction;
  if (vendor === null) return [];
  const differenceMinor = DIFFERENCE_NAIRA * 100n;
  const credit: SandboxCredit = {
    tester: testerOf(transaction),
    accountNumber: vendor.number,
    accountBankCode: null,
    amountMinor:
      scenario === 'underpaid'
        ? less(amountMinor, differenceMinor)
        : amountMinor + (scenario === 'overpaid' ? differenceMinor : 0n),
    payerAccount: accountNumber,
    payerBankName: bankName,
    payerName: scenario === 'name_mismatch' ? OTHER_PAYER : (accountName ?? UNNAMED_PAYER),
    narration: null,
    sessionId: null,
  };
  const copies = scenario === 'duplicate' ? 2 : 1;
  return [{ kind: 'pay_in', id: nameOf(transaction, 'credit'), credit, copies }];
}

function depositsOf(scenario: Scenario, transaction: Transaction): readonly Action[] {
  const instruction = transaction.deposits[0];
  if (instruction === undefined) return [];
  const { network, address, memo, decimals, expectedToken } = instruction;
  const difference = DIFFERENCE_NAIRA * 10n ** BigInt(decimals);
  return amounts(scenario, expectedToken, difference).map((amountMinor, index) => ({
    kind: 'deposit',
    id: nameOf(transaction, `deposit-${index + 1}`),
    deposit: { network, address, memo, amountMinor },
  }));
}

function amounts(scenario: Scenario, expected: bigint, difference: bigint): readonly bigint[] {
  switch (scenario) {
    case 'underpaid':
    case 'deposit_short':
      return [less(expected, difference)];
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

/** Short, and still something. */
function less(amount: bigint, difference: bigint): bigint {
  return amount > difference ? amount - difference : amount / 2n;
}

/** A credit's id like any other, and the same whenever the step is played: a tester can take the payment back by it. */
function testerOf({ id, businessId }: Transaction): Tester {
  return { businessId, creditId: `crd_${idBody(id)}` };
}

function nameOf({ id }: Transaction, what: string): string {
  return `${id}-${what}`;
}
