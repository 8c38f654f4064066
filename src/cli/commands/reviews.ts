// Reviews on the command line: what waits for people, and what the second of two decides.
import { decideReview } from '../../app/review/decide-review.ts';
import { rejectTransaction } from '../../app/review/reject-transaction.ts';
import { type Command, modeOption, readOptions, required } from '../command.ts';
import { proposalCommands } from './review-proposals.ts';
import { printQueue } from './review-queue.ts';
import { printSubject } from './review-record.ts';
import { answerOf, describeRequest, personOption } from './review-words.ts';

const LIMIT = 100;

export const reviewCommands: readonly Command[] = [
  {
    name: 'reviews list',
    usage: '[--mode live|test]',
    summary: 'List what waits for people, and the proposals that wait for a second person.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text' });
      const mode = options.mode === undefined ? undefined : modeOption(options.mode);
      return terminal.withFoundation(async ({ reviewDesk, clock }) => {
        const proposals = await reviewDesk.listOpenProposals(mode);
        const queue = await reviewDesk.listQueue(LIMIT, mode);
        printQueue(terminal, { proposals, queue, limit: LIMIT, nowMs: clock.now() });
      });
    },
  },
  {
    name: 'reviews show',
    usage: 'ID',
    summary: 'Show a transaction, credit, deposit, refund, notice or proposal with all that belongs to it.',
    run: (terminal, args) => {
      const id = required(readOptions(args, {}).rest[0], 'ID');
      return terminal.withFoundation((foundation) => printSubject(terminal, foundation, id));
    },
  },
  ...proposalCommands,
  decideCommand(
    'approve',
    true,
    '[--reason TEXT]',
    'Approve what another person proposed: it is done at once.',
  ),
  decideCommand('decline', false, '--reason TEXT', 'Decline what another person proposed.'),
  {
    name: 'reviews reject',
    usage: 'TRANSACTION_ID --reason TEXT [--as NAME]',
    summary: 'Close a buy on hold that no money came for. One person is enough.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { reason: 'text', as: 'text' });
      const transactionId = required(rest[0], 'TRANSACTION_ID');
      const reason = required(options.reason, '--reason');
      return terminal.withFoundation(async (foundation) => {
        const given = { transactionId, reason, actor: personOption(options.as, foundation.actor) };
        answerOf(await rejectTransaction(foundation, given));
        terminal.print(`${transactionId} is rejected.`);
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
      const { options, rest } = readOptions(args, { reason: 'text', as: 'text' });
      const proposalId = required(rest[0], 'PROPOSAL_ID');
      const reason = options.reason ?? (approve ? 'approved' : required(options.reason, '--reason'));
      return terminal.withFoundation(async (foundation) => {
        const actor = personOption(options.as, foundation.actor);
        const { request } = answerOf(await decideReview(foundation, { proposalId, actor, approve, reason }));
        const done = approve ? 'Approved and done' : 'Declined, nothing was changed';
        terminal.print(`${done}: ${describeRequest(request)}.`);
        if (approve)
          terminal.print(`To see what became of it: bin/sliproad reviews show ${request.subjectId}`);
      });
    },
  };
}
