// Reviews on the command line: the review queue, and the decision of the second person on a proposal.
import { checkableAssets } from '../../app/ledger/check-ledger.ts';
import { decideReview } from '../../app/review/decide-review.ts';
import { rejectTransaction } from '../../app/review/reject-transaction.ts';
import { type Command, modeOption, readOptions, required } from '../command.ts';
import { publicReasonOption } from '../public-reason.ts';
import { proposalCommands } from './review-proposals.ts';
import { printQueue } from './review-queue.ts';
import { printSubject } from './review-record.ts';
import { answerOf, describeRequest, personOption } from './review-words.ts';

const LIMIT = 100;
const REJECTION = { reason: 'text', 'public-reason': 'text', as: 'text' } as const;

export const reviewCommands: readonly Command[] = [
  {
    name: 'reviews list',
    usage: '[--mode live|test]',
    summary: 'List everything that needs review, and the proposals that need a second person.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text' });
      const mode = options.mode === undefined ? undefined : modeOption(options.mode);
      return terminal.withFoundation(async ({ reviewDesk, clock, networks }) => {
        const proposals = await reviewDesk.listOpenProposals(mode);
        const queue = await reviewDesk.listQueue(LIMIT, mode);
        const decimals = checkableAssets(networks);
        printQueue(terminal, { proposals, queue, limit: LIMIT, nowMs: clock.now(), decimals });
      });
    },
  },
  {
    name: 'reviews show',
    usage: 'ID',
    summary: 'Show a transaction, credit, deposit, refund, notice or proposal with its related records.',
    run: (terminal, args) => {
      const id = required(readOptions(args, {}, 1).rest[0], 'ID');
      return terminal.withFoundation((foundation) => printSubject(terminal, foundation, id));
    },
  },
  ...proposalCommands,
  decideCommand(
    'approve',
    true,
    '[--reason TEXT]',
    'Approve a proposal of another person. It is carried out at once.',
  ),
  decideCommand(
    'decline',
    false,
    '--reason TEXT',
    'Decline a proposal of another person. Nothing is changed.',
  ),
  {
    name: 'reviews reject',
    usage: 'TRANSACTION_ID --reason TEXT [--public-reason CODE] [--as NAME]',
    summary:
      'Close a buy on hold that received no money. One person is enough. The business reads only the public reason.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, REJECTION, 1);
      const transactionId = required(rest[0], 'TRANSACTION_ID');
      const note = required(options.reason, '--reason');
      const publicReason = publicReasonOption(options['public-reason']) ?? 'declined';
      return terminal.withFoundation(async (foundation) => {
        const actor = personOption(options.as, foundation.actor);
        const given = { transactionId, note, publicReason, actor };
        answerOf(await rejectTransaction(foundation, given));
        terminal.print(`${transactionId} is rejected. To see it: bin/sliproad reviews show ${transactionId}`);
      });
    },
  },
];

function decideCommand(
  word: 'approve' | 'decline',
  approve: boolean,
  reasonUsage: string,
  summary: string,
): Command {
  return {
    name: `reviews ${word}`,
    usage: `PROPOSAL_ID ${reasonUsage} [--as NAME]`,
    summary,
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { reason: 'text', as: 'text' }, 1);
      const proposalId = required(rest[0], 'PROPOSAL_ID');
      const reason = options.reason ?? (approve ? 'approved' : required(options.reason, '--reason'));
      return terminal.withFoundation(async (foundation) => {
        const actor = personOption(options.as, foundation.actor);
        const { request } = answerOf(await decideReview(foundation, { proposalId, actor, approve, reason }));
        const done = approve ? 'Approved and done' : 'Declined, nothing was changed';
        terminal.print(`${done}: ${describeRequest(request)}.`);
        if (approve) terminal.print(`To see the result: bin/sliproad reviews show ${request.subjectId}`);
      });
    },
  };
}
