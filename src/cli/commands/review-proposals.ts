// Proposals on the command line, made by the first of two people. Nothing changes until another person approves.
import { proposeReview } from '../../app/review/propose-review.ts';
import { proposeWithdrawal } from '../../app/review/propose-withdrawal.ts';
import type { Proposal, RefundTarget, ReviewRequest } from '../../domain/review/proposal.ts';
import { formatNaira } from '../../domain/values/money.ts';
import type { DescribedFoundation } from '../../wire.ts';
import {
  ANY_WORDS,
  type Command,
  CommandError,
  modeOption,
  nairaOption,
  readOptions,
  required,
  type Terminal,
} from '../command.ts';
import { publicReasonDetail } from '../public-reason.ts';
import { answerOf, describeRequest } from './review-words.ts';
import { printNext } from './setting-words.ts';

const TARGET = {
  bank: 'text',
  account: 'text',
  name: 'text',
  address: 'text',
  'public-reason': 'text',
} as const;
const WITHDRAWAL = { mode: 'text', network: 'text', amount: 'text', address: 'text' } as const;

export const proposalCommands: readonly Command[] = [
  proposeCommand(
    'match',
    'CREDIT_ID TRANSACTION_ID',
    'Propose that a bank credit is the payment of a buy.',
    (words) => ({
      action: 'match',
      subjectId: required(words[0], 'CREDIT_ID'),
      detail: { transactionId: required(words[1], 'TRANSACTION_ID') },
    }),
  ),
  proposeCommand(
    'split',
    'CREDIT_ID AMOUNT AMOUNT...',
    'Propose to split a bank credit into parts.',
    (words) => ({
      action: 'split',
      subjectId: required(words[0], 'CREDIT_ID'),
      detail: { partsMinor: words.slice(1).map((word) => nairaOption(word, 'AMOUNT')) },
    }),
  ),
  proposeCommand(
    'refund',
    'ID [--bank NAME --account NUMBER --name NAME | --address ADDRESS] [--public-reason CODE]',
    'Propose to refund a credit, a transaction or a deposit, or to give a refund destination to a refund that has none or was refused.',
    (words, options) => ({
      action: 'refund',
      subjectId: required(words[0], 'ID'),
      detail: { target: targetOption(options), ...publicReasonDetail(options['public-reason']) },
    }),
  ),
  proposeCommand(
    'write-off',
    'ID',
    'Propose to keep a credit or a deposit whose sender cannot be found.',
    (words) => ({
      action: 'write_off',
      subjectId: required(words[0], 'ID'),
      detail: {},
    }),
  ),
  proposeCommand(
    'own-funds',
    'DEPOSIT_ID',
    'Propose that an unmatched deposit is your own funding of the treasury.',
    (words) => ({ action: 'own_funds', subjectId: required(words[0], 'DEPOSIT_ID'), detail: {} }),
  ),
  {
    name: 'reviews propose withdrawal',
    usage: '--mode live|test --network NETWORK --amount AMOUNT --address ADDRESS',
    summary: 'Propose to withdraw tokens from a treasury, to redeem them or to move them to another wallet.',
    run: (terminal, args) => {
      const { options } = readOptions(args, WITHDRAWAL);
      const given = {
        mode: modeOption(options.mode),
        network: required(options.network, '--network'),
        nairaMinor: nairaOption(required(options.amount, '--amount'), '--amount'),
        address: required(options.address, '--address'),
      };
      return terminal.withFoundation(async (foundation) => {
        const { actor } = foundation;
        printProposal(terminal, answerOf(await proposeWithdrawal(foundation, { ...given, actor })));
      });
    },
  },
  {
    name: 'reviews propose resume',
    usage: '--mode live|test --asset NGN|CODE@Network',
    summary:
      'Propose to resume the sends of a halted asset. Transfers out of its treasury without an order are booked as a loss.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text', asset: 'text' });
      const mode = modeOption(options.mode);
      const asset = required(options.asset, '--asset');
      const request: ReviewRequest = {
        action: 'resume',
        subjectId: `halt ${mode} ${asset}`,
        detail: { mode, asset },
      };
      return terminal.withFoundation((foundation) => propose(terminal, foundation, request));
    },
  },
  proposeCommand('release', 'TRANSACTION_ID', 'Propose to release a transaction on hold.', (words) => ({
    action: 'release',
    subjectId: required(words[0], 'TRANSACTION_ID'),
    detail: {},
  })),
  proposeCommand(
    'loss',
    'NOTICE_ID',
    'Propose to book a reversed payment as a loss, when nothing can be reversed on our side.',
    (words) => ({ action: 'loss', subjectId: required(words[0], 'NOTICE_ID'), detail: {} }),
  ),
  proposeCommand('dismiss', 'NOTICE_ID', 'Propose to close a notice without any effect.', (words) => ({
    action: 'dismiss',
    subjectId: required(words[0], 'NOTICE_ID'),
    detail: {},
  })),
];

type Words = readonly string[];
type TargetOptions = { readonly [Name in keyof typeof TARGET]?: string };

function proposeCommand(
  name: string,
  usage: string,
  summary: string,
  requestOf: (words: Words, options: TargetOptions) => ReviewRequest,
): Command {
  const names = name === 'refund' ? TARGET : {};
  return {
    name: `reviews propose ${name}`,
    usage: `${usage}`,
    summary,
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, names as typeof TARGET, ANY_WORDS);
      const request = requestOf(rest, options);
      return terminal.withFoundation((foundation) => propose(terminal, foundation, request));
    },
  };
}

async function propose(
  terminal: Terminal,
  foundation: DescribedFoundation & { readonly actor: string },
  request: ReviewRequest,
): Promise<void> {
  const { actor } = foundation;
  printProposal(terminal, answerOf(await proposeReview(foundation, { ...request, actor })));
}

function printProposal(terminal: Terminal, { id, request, amountMinor, proposedBy }: Proposal): void {
  terminal.print(
    `${id}: ${proposedBy} proposes to ${describeRequest(request)}, ${formatNaira(amountMinor)}.`,
  );
  printNext(terminal, id);
}

function targetOption({ bank, account, name, address }: TargetOptions): RefundTarget | null {
  const byBank = bank !== undefined || account !== undefined || name !== undefined;
  if (byBank && address !== undefined) {
    throw new CommandError('Give a bank account (--bank, --account, --name) or --address, not both.');
  }
  if (address !== undefined) return { address: required(address, '--address') };
  if (!byBank) return null;
  return {
    bankCode: required(bank, '--bank'),
    accountNumber: required(account, '--account'),
    accountName: required(name, '--name'),
  };
}
