// The operator's staff in a seed: two people check the review queue from time to time, propose and decide. They also withdraw
// tokens, pause and freeze, and restore everything before the end.
import type { DecisionRequest } from '../../../src/app/back-office/check-decision.ts';
import { decideReview } from '../../../src/app/review/decide-review.ts';
import { proposeReview } from '../../../src/app/review/propose-review.ts';
import { proposeWithdrawal } from '../../../src/app/review/propose-withdrawal.ts';
import { rejectTransaction } from '../../../src/app/review/reject-transaction.ts';
import { ledgerKey } from '../../../src/domain/ledger/chart-of-accounts.ts';
import { REFUND_DECIDED } from '../../../src/domain/records/exceptions.ts';
import type { ReviewRequest } from '../../../src/domain/review/proposal.ts';
import { NAIRA, tokenAsset, tokenToKobo } from '../../../src/domain/values/money.ts';
import type { ReviewQueue } from '../../../src/ports/review-store.ts';
import { type Dice, makeDice } from '../../support/dice.ts';
import { expected } from '../world/faults.ts';
import type { Machine } from '../world/gate.ts';
import { accountOf, walletOn } from '../world/places.ts';
import type { Setting } from '../world/setting.ts';
import { drawCaseRequest } from './cases.ts';
import { MODE } from './company.ts';
import { isRepeated, takeBack } from './notices.ts';

export const FIRST = 'per_ada';
const SECOND = 'per_musa';
export const REVIEWERS = [FIRST, SECOND] as const;
const LOOK_MS = [3_000, 20_000] as const;
export const THINK_MS = 45_000;
const SHRINKS_MS = 10_000;

/** People check from time to time until `untilMs`. */
export function startPeople(setting: Setting, machines: readonly Machine[], untilMs: number): void {
  const { agenda, dice } = setting;
  const look = () => {
    if (agenda.now() > untilMs) return;
    const up = machines.filter((machine) => machine.up);
    if (up.length > 0) {
      const machine = dice.pick(up);
      work(setting, machine, dice).catch((error: Error) => {
        if (!expected(error)) setting.broken('no use-case fails by itself', `a review: ${error.stack}`, null);
      });
    }
    agenda.at(agenda.now() + dice.between(...LOOK_MS), look);
  };
  agenda.at(agenda.now() + dice.between(...LOOK_MS), look);
}

async function work(setting: Setting, machine: Machine, dice: Dice): Promise<void> {
  const { tale, agenda } = setting;
  const queue = await machine.review.reviewDesk.listQueue(20);
  const open = await machine.review.reviewDesk.listOpenProposals();
  if (open.length > 0 && dice.percent(60)) {
    const { id } = dice.pick(open);
    const approve = dice.percent(85);
    const result = await decide(setting, machine, { proposalId: id, approve, reason: 'looked at it' });
    if (tale.wanted) tale.line('people', `decide ${id}: ${result.ok ? 'done' : result.error.code}`);
    return;
  }
  const rejected = queue.transactions.filter(({ type }) => type === 'buy');
  if (rejected.length > 0 && dice.percent(10)) {
    const { id } = dice.pick(rejected);
    const words = { note: 'nothing came', publicReason: 'payment_not_found' } as const;
    await rejectTransaction(machine.review, { transactionId: id, actor: FIRST, ...words });
    return;
  }
  const takesOut = dice.percent(15);
  const request = takesOut ? undefined : drawRequest(setting, queue, dice);
  if (request === undefined && !takesOut) return;
  const proposed =
    request === undefined
      ? await proposeWithdrawal(machine.review, drawWithdrawal(setting, dice))
      : await proposeReview(machine.review, { ...request, actor: FIRST });
  if (tale.wanted)
    tale.line(
      'people',
      `propose ${request === undefined ? 'to take tokens out' : `${request.action} of ${request.subjectId}`}: ${
        proposed.ok ? proposed.value.id : proposed.error.code
      }`,
    );
  if (!proposed.ok) return;
  if (request?.action === 'refund') shrink(setting, request.subjectId, dice);
  const { id } = proposed.value;
  const born = machine.life;
  agenda.at(agenda.now() + dice.below(THINK_MS), () => {
    if (machine.life !== born) return;
    decide(setting, machine, { proposalId: id, approve: true, reason: 'it is right' }).then(
      (result) =>
        tale.wanted && tale.line('people', `decide ${id}: ${result.ok ? 'done' : result.error.code}`),
      (error: Error) => {
        if (!expected(error)) setting.broken('no use-case fails by itself', `a review: ${error.stack}`, null);
      },
    );
  });
}

/** The second person decides; an approval needs a second factor, with the time of that person's machine. */
export function decide(
  { model }: Setting,
  { review }: Machine,
  given: Pick<DecisionRequest, 'proposalId' | 'approve' | 'reason'>,
) {
  const subjectId = given.proposalId;
  const stepUp = { id: `sup of ${subjectId} ${model.tables.stepUps.size}`, atMs: review.clock.now() };
  model.core.addStepUp({ ...stepUp, personId: SECOND, subjectId });
  return decideReview(review, { ...given, actor: SECOND, stepUp });
}

/** Sometimes the bank reverses a part of the money before the decision. */
function shrink(setting: Setting, transactionId: string, dice: Dice): void {
  const { agenda, model } = setting;
  const part = [...model.tables.credits.values()].find(
    ({ sourceId, transactionId: paid }) => paid === transactionId && sourceId.startsWith('rest-'),
  );
  if (part === undefined || !dice.percent(60)) return;
  agenda.at(agenda.now() + dice.below(SHRINKS_MS), () => takeBack(setting, part.sourceId));
}

/** Withdraws a little, the whole balance, or more than allowed. */
function drawWithdrawal({ model, outside }: Setting, dice: Dice) {
  const { name, asset } = dice.pick(outside.networks);
  const key = ledgerKey(MODE, tokenAsset(asset.code, name), 'treasury');
  const { kobo } = tokenToKobo(model.tables.accounts.get(key) ?? 0n, asset.decimals);
  const nairaMinor = dice.pick([1n, 1_500_000n, kobo, kobo + 1n]);
  return { mode: MODE, network: name, address: walletOn(name, dice), nairaMinor, actor: FIRST } as const;
}

/** Chooses an existing record and an action; some actions are impossible and are refused. */
function drawRequest(setting: Setting, queue: ReviewQueue, dice: Dice): ReviewRequest | undefined {
  const { model, still } = setting;
  const { transactions, credits, deposits, refunds, notices } = queue;
  // Releases a sell while naira is halted: its payout must still wait.
  const whole = transactions.find(
    ({ type, exception, receivedMinor, amountMinor }) =>
      type === 'sell' && receivedMinor === amountMinor && exception !== REFUND_DECIDED,
  );
  if (whole !== undefined && still.halts.has(NAIRA))
    return { action: 'release', subjectId: whole.id, detail: {} };
  const patient = drawPatient(setting, queue);
  if (patient !== undefined) return patient;
  const account = { bankCode: '058', accountNumber: accountOf(dice.between(1, 99)), accountName: 'Ada Obi' };
  const requests: (() => ReviewRequest)[] = [];
  if (transactions.length > 0) {
    // Transactions that were paid in part are reviewed more often: the received amount may be lower or higher at the decision.
    const inParts = transactions.filter(
      ({ receivedMinor, amountMinor }) => receivedMinor > 0n && receivedMinor < amountMinor,
    );
    const subjectId = dice.pick(inParts.length > 0 && dice.percent(50) ? inParts : transactions).id;
    requests.push(() =>
      dice.percent(50)
        ? { action: 'release', subjectId, detail: {} }
        : { action: 'refund', subjectId, detail: { target: dice.percent(70) ? null : account } },
    );
  }
  if (credits.length > 0) {
    const credit = dice.pick(credits);
    const subjectId = credit.id;
    requests.push(() => {
      const action = dice.weighted({ match: 40, refund: 30, split: 15, write_off: 15 });
      if (action === 'write_off') return { action, subjectId, detail: {} };
      if (action === 'refund')
        return { action, subjectId, detail: { target: dice.percent(60) ? null : account } };
      if (action === 'split') {
        const first = credit.amountMinor / BigInt(dice.between(2, 5));
        return { action, subjectId, detail: { partsMinor: [first, credit.amountMinor - first] } };
      }
      const meant = credit.transactionId ?? credit.candidates[0]?.transactionId ?? transactions[0]?.id;
      return meant === undefined
        ? { action: 'write_off', subjectId, detail: {} }
        : { action, subjectId, detail: { transactionId: meant } };
    });
  }
  if (deposits.length > 0) {
    const { id: subjectId, network } = dice.pick(deposits);
    requests.push(() =>
      dice.percent(50)
        ? { action: 'write_off', subjectId, detail: {} }
        : { action: 'refund', subjectId, detail: { target: { address: walletOn(network, dice) } } },
    );
  }
  if (refunds.length > 0) {
    const { id: subjectId, network } = dice.pick(refunds);
    const target = network === null ? account : { address: walletOn(network, dice) };
    requests.push(() => ({ action: 'refund', subjectId, detail: { target } }));
  }
  if (notices.length > 0) {
    // The reviewers ask the bank, which confirms or denies the report.
    const { id: subjectId, sourceId, about, kind } = dice.pick(notices);
    const known = [...model.tables.notices.values()].some(
      (other) => other.state === 'done' && other.about === about && other.kind === kind,
    );
    const action = known || isRepeated(sourceId) ? 'dismiss' : 'loss';
    requests.push(() => ({ action, subjectId, detail: {} }));
  }
  const cases = [...model.tables.cases.values()];
  if (cases.length > 0) requests.push(() => drawCaseRequest(setting, dice.pick(cases), dice));
  return requests.length === 0 ? undefined : dice.pick(requests)();
}

/** In some seeds, people accept the parts of a payment one after the other, and then refund the whole payment. */
function drawPatient({ model, seed }: Setting, queue: ReviewQueue): ReviewRequest | undefined {
  if (!makeDice(`${seed} patient people`).percent(25)) return undefined;
  const part = queue.credits.find(
    ({ exception, transactionId }) => exception === 'paid_partial' && transactionId !== null,
  );
  if (part !== undefined)
    return { action: 'match', subjectId: part.id, detail: { transactionId: part.transactionId! } };
  const matched = [...model.tables.credits.values()].filter(({ state }) => state === 'matched');
  const whole = queue.transactions.find(
    ({ id, type, exception }) =>
      type === 'buy' &&
      exception !== REFUND_DECIDED &&
      matched.filter(({ transactionId }) => transactionId === id).length > 1,
  );
  return whole && { action: 'refund', subjectId: whole.id, detail: { target: null } };
}
