// Commands with which the first of two people makes a proposal. Nothing changes until another person approves the proposal.
import { readCaseGroup } from '../../app/review/plan-case-group.ts';
import { proposeReview } from '../../app/review/propose-review.ts';
import { proposeWithdrawal } from '../../app/review/propose-withdrawal.ts';
import { describeReviewRequest } from '../../domain/review/describe-review-request.ts';
import type { Proposal, RefundTarget, ReviewRequest } from '../../domain/review/proposal.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { renderProposal } from '../../renderings/proposals.ts';
import { type Command, defineCommand, nairaOption, REQUIRED_MODE, type Terminal } from '../command.ts';
import { CommandError, UsageError } from '../terminal/command-error.ts';
import { asJsonObject, type Json } from '../terminal/json.ts';
import type { OptionTable } from '../terminal/options.ts';
import { PUBLIC_REASON, printNextCommand, publicReasonDetail, valueOrThrow } from './decision-words.ts';

const TARGET = {
  bank: { value: 'NAME', about: 'bank of the refund account' },
  account: { value: 'NUMBER', about: 'number of the refund account' },
  name: { value: 'NAME', about: 'name of the refund account' },
  address: { value: 'ADDRESS', about: 'wallet of a token refund' },
} as const satisfies OptionTable;

const matchCommand = defineCommand({
  name: 'reviews propose match',
  words: ['CREDIT_ID', 'TRANSACTION_ID'],
  summary: 'Propose to match a bank credit to a buy.',
  run: (terminal, { words: [subjectId, transactionId] }) =>
    propose(terminal, { action: 'match', subjectId, detail: { transactionId } }),
});

const splitCommand = defineCommand({
  name: 'reviews propose split',
  words: ['CREDIT_ID', 'AMOUNT...'],
  summary: 'Propose to split a bank credit into parts.',
  run: async (terminal, { words: [subjectId, amounts] }) => {
    const partsMinor = amounts.map((word) => nairaOption(word, 'AMOUNT'));
    return propose(terminal, { action: 'split', subjectId, detail: { partsMinor } });
  },
});

const refundCommand = defineCommand({
  name: 'reviews propose refund',
  words: ['ID'],
  summary:
    'Propose to refund a credit, a transaction or a deposit, or to set the destination of a refund that has none or was refused.',
  options: { ...TARGET, 'public-reason': PUBLIC_REASON },
  run: async (terminal, { words: [subjectId], options }) => {
    const said = publicReasonDetail(options['public-reason']);
    return propose(terminal, {
      ...{ action: 'refund', subjectId },
      detail: { target: targetOption(options), ...said },
    });
  },
});

const withdrawalCommand = defineCommand({
  name: 'reviews propose withdrawal',
  summary: 'Propose to withdraw tokens from a treasury, for example to redeem them.',
  options: {
    mode: REQUIRED_MODE,
    network: { value: 'NETWORK', needed: true, about: 'the network of the treasury' },
    amount: { value: 'AMOUNT', needed: true, about: 'amount in naira' },
    address: { value: 'ADDRESS', needed: true, about: 'the wallet that receives the tokens' },
  },
  run: async (terminal, { options: { mode, network, amount, address } }) => {
    const given = { mode, network, address, nairaMinor: nairaOption(amount, '--amount') };
    return terminal.withFoundation(async (foundation) => {
      const { actor } = foundation;
      return showProposal(terminal, valueOrThrow(await proposeWithdrawal(foundation, { ...given, actor })));
    });
  },
});

const resumeCommand = defineCommand({
  name: 'reviews propose resume',
  summary:
    'Propose to resume the sends of a halted asset. Unexplained transfers out of its treasury are booked as a loss.',
  options: {
    mode: REQUIRED_MODE,
    asset: { value: 'NGN|CODE@Network', needed: true, about: 'the halted asset (halts list)' },
  },
  run: (terminal, { options: { mode, asset } }) =>
    propose(terminal, { action: 'resume', subjectId: `halt ${mode} ${asset}`, detail: { mode, asset } }),
});

const payAgainCommand = defineCommand({
  name: 'reviews propose pay-again',
  words: ['ID'],
  summary:
    'Propose to repeat a payout that a bank returned: name the case or its sell, and the destination account.',
  options: {
    bank: { value: 'NAME', needed: true, about: 'the bank of the account' },
    account: { value: 'NUMBER', needed: true, about: 'the number of the account' },
    name: { value: 'NAME', needed: true, about: 'the account name, as the bank has it' },
  },
  run: (terminal, { words: [subjectId], options: { bank, account, name } }) =>
    propose(terminal, {
      ...{ action: 'pay_again', subjectId },
      detail: { account: { bankCode: bank, accountNumber: account, accountName: name } },
    }),
});

const sendBackCommand = defineCommand({
  name: 'reviews propose send-back',
  words: ['CASE_ID'],
  summary: "Propose to return a sell's tokens, because the bank returned its payout.",
  options: { 'public-reason': PUBLIC_REASON },
  run: (terminal, { words: [subjectId], options }) =>
    propose(terminal, {
      ...{ action: 'refund', subjectId },
      detail: { target: null, ...publicReasonDetail(options['public-reason']) },
    }),
});

const recoveredCommand = defineCommand({
  name: 'reviews propose recovered',
  words: ['CASE_ID'],
  summary: 'Propose to record that the money of a case was recovered into one of your bank accounts.',
  options: {
    bank: { value: 'NAME', about: 'the bank of your account (default in test mode: the simulated bank)' },
    account: { value: 'NUMBER', about: 'the number of your account' },
  },
  run: async (terminal, { words: [subjectId], options: { bank, account } }) => {
    if ((bank === undefined) !== (account === undefined))
      throw new UsageError('Use --bank and --account together.');
    const into = bank === undefined ? null : { bankCode: bank, accountNumber: account! };
    return propose(terminal, { action: 'recovered', subjectId, detail: { into } });
  },
});

const explainedAllCommand = defineCommand({
  name: 'reviews propose explained-all',
  words: ['FILE_ID'],
  summary:
    'Propose to close the open cases about one statement file as explained, at most 2,000 at once. Nothing is booked.',
  options: {
    cases: { value: 'COUNT', needed: true, about: 'the number of cases that you expect (cases list)' },
  },
  run: (terminal, { words: [subjectId], options }) =>
    terminal.withFoundation(async (foundation) => {
      const { actor } = foundation;
      const group = await readCaseGroup(foundation, subjectId);
      if (group === undefined)
        throw new CommandError(`No case about the statement file ${subjectId} is open.`, 'not_found');
      const { cases, digest, amountMinor } = group;
      if (options.cases !== String(cases))
        throw new CommandError(
          `One proposal would close ${cases} cases, ${formatNaira(amountMinor)} in total. If this is right, use --cases ${cases}.`,
          'conflict',
        );
      const request = { action: 'explained_all', subjectId, detail: { cases, digest } } as const;
      return showProposal(terminal, valueOrThrow(await proposeReview(foundation, { ...request, actor })));
    }),
});

export const proposalCommands: readonly Command[] = [
  ...[matchCommand, splitCommand, refundCommand],
  defineRecordProposal(
    'write-off',
    'ID',
    'write_off',
    'keep a credit, a deposit or a returned refund whose owner cannot be found.',
  ),
  defineRecordProposal(
    'own-funds',
    'DEPOSIT_ID',
    'own_funds',
    'book an unmatched deposit as your own funding of the treasury.',
  ),
  ...[withdrawalCommand, resumeCommand],
  defineRecordProposal('release', 'TRANSACTION_ID', 'release', 'release a transaction on hold.'),
  defineRecordProposal(
    'loss',
    'NOTICE_ID',
    'loss',
    'book a reversed payment as a loss, because we cannot reverse anything on our side.',
  ),
  defineRecordProposal('dismiss', 'NOTICE_ID', 'dismiss', 'close a notice. Nothing is booked.'),
  ...[payAgainCommand, sendBackCommand, recoveredCommand],
  defineRecordProposal(
    'paid',
    'PAYOUT_ID',
    'paid',
    'record that the bank has paid a payout or refund with an unknown outcome, because the statement shows it.',
  ),
  defineRecordProposal(
    'unpaid',
    'PAYOUT_ID',
    'unpaid',
    'record that a payout or refund was not paid and never will be, because the bank confirmed this. The payment is made again.',
  ),
  defineRecordProposal('accept-loss', 'CASE_ID', 'accepted', 'book the money of a case as a loss.'),
  defineRecordProposal(
    'count',
    'CASE_ID',
    'counted',
    'count a payout as made if the bank returned it and then paid it, or count an unmatched report as a credit.',
  ),
  defineRecordProposal(
    'explained',
    'CASE_ID',
    'explained',
    'close a case about a report or a difference as explained. Nothing is booked.',
  ),
  explainedAllCommand,
];

function defineRecordProposal(
  name: string,
  word: string,
  action:
    | 'write_off'
    | 'own_funds'
    | 'release'
    | 'loss'
    | 'dismiss'
    | 'paid'
    | 'unpaid'
    | 'accepted'
    | 'counted'
    | 'explained',
  summary: string,
): Command {
  return defineCommand({
    name: `reviews propose ${name}`,
    words: [word],
    summary: `Propose to ${summary}`,
    run: (terminal, { words: [subjectId] }) =>
      propose(terminal, { action, subjectId: String(subjectId), detail: {} }),
  });
}

function propose(terminal: Terminal, request: ReviewRequest): Promise<Json> {
  return terminal.withFoundation(async (foundation) => {
    const { actor } = foundation;
    return showProposal(terminal, valueOrThrow(await proposeReview(foundation, { ...request, actor })));
  });
}

export function showProposal(terminal: Terminal, proposal: Proposal): Json {
  const { id, request, amountMinor, proposedBy } = proposal;
  terminal.print(
    `${id}: ${proposedBy} proposes to ${describeReviewRequest(request)}, ${formatNaira(amountMinor)}.`,
  );
  printNextCommand(terminal, id);
  return asJsonObject({ proposal: renderProposal({ kind: 'review', proposal }) });
}

type TargetOptions = { readonly [Name in keyof typeof TARGET]?: string | undefined };

function targetOption({ bank, account, name, address }: TargetOptions): RefundTarget | null {
  const byBank = bank !== undefined || account !== undefined || name !== undefined;
  if (byBank && address !== undefined) {
    throw new UsageError('Use a bank account (--bank, --account, --name) or --address, not both.');
  }
  if (address !== undefined) return { address: address };
  if (!byBank) return null;
  return {
    bankCode: requireTogether(bank, '--bank'),
    accountNumber: requireTogether(account, '--account'),
    accountName: requireTogether(name, '--name'),
  };
}

function requireTogether(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`${name} is missing: use --bank, --account and --name together.`);
}
