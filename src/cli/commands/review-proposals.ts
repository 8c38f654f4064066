// Proposals on the command line, made by the first of two people. Nothing changes until another person approves.
import { proposeReview } from '../../app/review/propose-review.ts';
import { proposeWithdrawal } from '../../app/review/propose-withdrawal.ts';
import type { Proposal, RefundTarget, ReviewRequest } from '../../domain/review/proposal.ts';
import { describeRequest } from '../../domain/review/request-words.ts';
import { formatNaira } from '../../domain/values/money.ts';
import { renderProposal } from '../../renderings/proposals.ts';
import { type Command, command, NEEDED_MODE, nairaOption, type Terminal } from '../command.ts';
import { UsageError } from '../terminal/failure.ts';
import { type Json, rendered } from '../terminal/json.ts';
import type { OptionTable } from '../terminal/options.ts';
import { answerOf, PUBLIC_REASON, printNext, publicReasonDetail } from './decision-words.ts';

const TARGET = {
  bank: { value: 'NAME', about: 'the bank of a refund to an account' },
  account: { value: 'NUMBER', about: 'the number of that account' },
  name: { value: 'NAME', about: 'the name of that account' },
  address: { value: 'ADDRESS', about: 'the wallet of a refund in tokens' },
} as const satisfies OptionTable;

const matchCommand = command({
  name: 'reviews propose match',
  words: ['CREDIT_ID', 'TRANSACTION_ID'],
  summary: 'Propose that a bank credit is the payment of a buy.',
  run: (terminal, { words: [subjectId, transactionId] }) =>
    propose(terminal, { action: 'match', subjectId, detail: { transactionId } }),
});

const splitCommand = command({
  name: 'reviews propose split',
  words: ['CREDIT_ID', 'AMOUNT...'],
  summary: 'Propose to split a bank credit into parts.',
  run: async (terminal, { words: [subjectId, amounts] }) => {
    const partsMinor = amounts.map((word) => nairaOption(word, 'AMOUNT'));
    return propose(terminal, { action: 'split', subjectId, detail: { partsMinor } });
  },
});

const refundCommand = command({
  name: 'reviews propose refund',
  words: ['ID'],
  summary:
    'Propose to refund a credit, a transaction or a deposit, or to give a refund destination to a refund that has none or was refused.',
  options: { ...TARGET, 'public-reason': PUBLIC_REASON },
  run: async (terminal, { words: [subjectId], options }) => {
    const said = publicReasonDetail(options['public-reason']);
    return propose(terminal, {
      ...{ action: 'refund', subjectId },
      detail: { target: targetOption(options), ...said },
    });
  },
});

const withdrawalCommand = command({
  name: 'reviews propose withdrawal',
  summary: 'Propose to withdraw tokens from a treasury, to redeem them or to move them to another wallet.',
  options: {
    mode: NEEDED_MODE,
    network: { value: 'NETWORK', needed: true, about: 'the network of the treasury' },
    amount: { value: 'AMOUNT', needed: true, about: 'how much, in naira' },
    address: { value: 'ADDRESS', needed: true, about: 'the wallet that receives the tokens' },
  },
  run: async (terminal, { options: { mode, network, amount, address } }) => {
    const given = { mode, network, address, nairaMinor: nairaOption(amount, '--amount') };
    return terminal.withFoundation(async (foundation) => {
      const { actor } = foundation;
      return showProposal(terminal, answerOf(await proposeWithdrawal(foundation, { ...given, actor })));
    });
  },
});

const resumeCommand = command({
  name: 'reviews propose resume',
  summary:
    'Propose to resume the sends of a halted asset. Transfers out of its treasury without an order are booked as a loss.',
  options: {
    mode: NEEDED_MODE,
    asset: { value: 'NGN|CODE@Network', needed: true, about: 'the halted asset (halts list)' },
  },
  run: (terminal, { options: { mode, asset } }) =>
    propose(terminal, { action: 'resume', subjectId: `halt ${mode} ${asset}`, detail: { mode, asset } }),
});

const payAgainCommand = command({
  name: 'reviews propose pay-again',
  words: ['ID'],
  summary:
    'Propose to pay again what a bank returned: the case, or its sell, and the account it shall go to.',
  options: {
    bank: { value: 'NAME', needed: true, about: 'the bank of the account' },
    account: { value: 'NUMBER', needed: true, about: 'the number of the account' },
    name: { value: 'NAME', needed: true, about: 'the name of the account, as its bank has it' },
  },
  run: (terminal, { words: [subjectId], options: { bank, account, name } }) =>
    propose(terminal, {
      ...{ action: 'pay_again', subjectId },
      detail: { account: { bankCode: bank, accountNumber: account, accountName: name } },
    }),
});

const sendBackCommand = command({
  name: 'reviews propose send-back',
  words: ['CASE_ID'],
  summary: 'Propose to send the tokens of a sell home, because its payout came back.',
  options: { 'public-reason': PUBLIC_REASON },
  run: (terminal, { words: [subjectId], options }) =>
    propose(terminal, {
      ...{ action: 'refund', subjectId },
      detail: { target: null, ...publicReasonDetail(options['public-reason']) },
    }),
});

const recoveredCommand = command({
  name: 'reviews propose recovered',
  words: ['CASE_ID'],
  summary: 'Propose that the money of a case came back, into a bank account of yours.',
  options: {
    bank: { value: 'NAME', about: 'the bank of your account; in test mode without one: the simulated bank' },
    account: { value: 'NUMBER', about: 'the number of that account' },
  },
  run: async (terminal, { words: [subjectId], options: { bank, account } }) => {
    if ((bank === undefined) !== (account === undefined))
      throw new UsageError('--bank and --account belong together.');
    const into = bank === undefined ? null : { bankCode: bank, accountNumber: account! };
    return propose(terminal, { action: 'recovered', subjectId, detail: { into } });
  },
});

export const proposalCommands: readonly Command[] = [
  ...[matchCommand, splitCommand, refundCommand],
  aboutOne(
    'write-off',
    'ID',
    'write_off',
    'keep a credit, a deposit or a refund that came back, whose owner cannot be found.',
  ),
  aboutOne(
    'own-funds',
    'DEPOSIT_ID',
    'own_funds',
    'book an unmatched deposit as your own funding of the treasury.',
  ),
  ...[withdrawalCommand, resumeCommand],
  aboutOne('release', 'TRANSACTION_ID', 'release', 'release a transaction on hold.'),
  aboutOne(
    'loss',
    'NOTICE_ID',
    'loss',
    'book a reversed payment as a loss, when nothing can be reversed on our side.',
  ),
  aboutOne('dismiss', 'NOTICE_ID', 'dismiss', 'close a notice without any effect.'),
  ...[payAgainCommand, sendBackCommand, recoveredCommand],
  aboutOne(
    'paid',
    'PAYOUT_ID',
    'paid',
    'record that the bank has paid a payout or refund whose outcome it does not tell: you have seen it on the statement.',
  ),
  aboutOne(
    'unpaid',
    'PAYOUT_ID',
    'unpaid',
    'record that the bank has not paid a payout or refund and never will, as it confirmed to you: it is made again.',
  ),
  aboutOne('accept-loss', 'CASE_ID', 'accepted', 'accept the money of a case as lost.'),
  aboutOne(
    'count',
    'CASE_ID',
    'counted',
    'count a payout that came back and was paid after all as the payout, or a report that was left over as a credit.',
  ),
  aboutOne(
    'explained',
    'CASE_ID',
    'explained',
    'close a case about a report or a difference as explained; nothing is booked.',
  ),
];

/** Proposals that need nothing but the record they are about. */
function aboutOne(
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
  return command({
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
    return showProposal(terminal, answerOf(await proposeReview(foundation, { ...request, actor })));
  });
}

export function showProposal(terminal: Terminal, proposal: Proposal): Json {
  const { id, request, amountMinor, proposedBy } = proposal;
  terminal.print(
    `${id}: ${proposedBy} proposes to ${describeRequest(request)}, ${formatNaira(amountMinor)}.`,
  );
  printNext(terminal, id);
  return rendered({ proposal: renderProposal({ kind: 'review', proposal }) });
}

type TargetOptions = { readonly [Name in keyof typeof TARGET]?: string | undefined };

function targetOption({ bank, account, name, address }: TargetOptions): RefundTarget | null {
  const byBank = bank !== undefined || account !== undefined || name !== undefined;
  if (byBank && address !== undefined) {
    throw new UsageError('Give a bank account (--bank, --account, --name) or --address, not both.');
  }
  if (address !== undefined) return { address: address };
  if (!byBank) return null;
  return {
    bankCode: together(bank, '--bank'),
    accountNumber: together(account, '--account'),
    accountName: together(name, '--name'),
  };
}

function together(value: string | undefined, name: string): string {
  if (value !== undefined) return value;
  throw new UsageError(`${name} is missing: --bank, --account and --name belong together.`);
}
