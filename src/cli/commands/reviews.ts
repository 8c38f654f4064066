// Reviews on the command line: the review queue, and the decision of the second person on a proposal.
import { checkableAssets } from '../../app/ledger/check-ledger.ts';
import { type AnyProposal, decideProposal } from '../../app/review/decide-proposal.ts';
import { listProposals } from '../../app/review/list-proposals.ts';
import { rejectTransaction } from '../../app/review/reject-transaction.ts';
import { withdrawProposal } from '../../app/review/withdraw-proposal.ts';
import { type Command, modeOption, readOptions, required } from '../command.ts';
import { decider } from '../person.ts';
import { publicReasonOption } from '../public-reason.ts';
import { proposalCommands } from './review-proposals.ts';
import { printQueue } from './review-queue.ts';
import { printSubject } from './review-record.ts';
import { answerOf } from './review-words.ts';
import { describeProposal } from './setting-words.ts';

const LIMIT = 100;
const REJECTION = { reason: 'text', 'public-reason': 'text' } as const;

export const reviewCommands: readonly Command[] = [
  {
    name: 'reviews list',
    usage: '[--mode live|test]',
    summary: 'List everything that needs review, and the proposals that need a second person.',
    run: (terminal, args) => {
      const { options } = readOptions(args, { mode: 'text' });
      const mode = options.mode === undefined ? undefined : modeOption(options.mode);
      return terminal.withFoundation(async (foundation) => {
        const { reviewDesk, clock, networks } = foundation;
        const proposals = await listProposals(foundation, mode);
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
    name: 'reviews withdraw',
    usage: 'PROPOSAL_ID [--reason TEXT]',
    summary: 'Withdraw a proposal of your own. Nothing is changed.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { reason: 'text' }, 1);
      const proposalId = required(rest[0], 'PROPOSAL_ID');
      return terminal.withFoundation(async (foundation) => {
        const given = { proposalId, reason: options.reason ?? 'withdrawn', actor: foundation.actor };
        const found = answerOf(await withdrawProposal(foundation, given));
        terminal.print(`Withdrawn, nothing was changed: ${describeProposal(found)}.`);
      });
    },
  },
  {
    name: 'reviews reject',
    usage: 'TRANSACTION_ID --reason TEXT [--public-reason CODE]',
    summary:
      'Close a buy on hold that received no money. One person is enough. The business reads only the public reason.',
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, REJECTION, 1);
      const transactionId = required(rest[0], 'TRANSACTION_ID');
      const note = required(options.reason, '--reason');
      const publicReason = publicReasonOption(options['public-reason']) ?? 'declined';
      return terminal.withFoundation(async (foundation) => {
        const given = { transactionId, note, publicReason, actor: foundation.actor };
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
    usage: `PROPOSAL_ID ${reasonUsage}`,
    summary,
    run: (terminal, args) => {
      const { options, rest } = readOptions(args, { reason: 'text' }, 1);
      const proposalId = required(rest[0], 'PROPOSAL_ID');
      const reason = options.reason ?? (approve ? 'approved' : required(options.reason, '--reason'));
      return terminal.withFoundation(async (foundation) => {
        const { actor } = foundation;
        const by = approve ? await decider(terminal, foundation, proposalId) : { actor, stepUp: null };
        const decided = answerOf(await decideProposal(foundation, { proposalId, approve, reason, ...by }));
        const done = approve ? 'Approved and done' : 'Declined, nothing was changed';
        terminal.print(`${done}: ${describeProposal(decided)}.`);
        if (approve) terminal.print(nextOf(decided));
      });
    },
  };
}

/** What to run next: mostly the command that shows what became of it. */
function nextOf({ kind, proposal }: AnyProposal): string {
  if (kind === 'review') return `To see the result: bin/sliproad reviews show ${proposal.request.subjectId}`;
  const { request } = proposal;
  if (request.setting === 'signing_resumed')
    return 'Signing resumes with this command, on each machine that was stopped: bin/sliproad signer resume';
  if (request.setting === 'network_forgotten')
    return 'The next start binds what is configured then. See docs/operating.md';
  if (request.setting === 'wallet_set') {
    const { businessId, mode } = request;
    return `To see the result: bin/sliproad businesses wallet --business ${businessId} --mode ${mode}`;
  }
  return `To see the result: bin/sliproad ${SHOWN_BY[request.setting]}`;
}

const SHOWN_BY = {
  vendor_added: 'vendors list',
  vendor_renamed: 'vendors list',
  vendor_enabled: 'vendors list',
  vendor_disabled: 'vendors list',
  fee_set: 'fees list',
  limit_set: 'limits list',
  freeze_lifted: 'freezes list',
  case_closed: 'cases list',
  movements_paused: 'movements status',
  movements_resumed: 'movements status',
} as const;
