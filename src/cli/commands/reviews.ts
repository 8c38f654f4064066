// Shows the review queue on the command line, and records the decision of the second person on a proposal.
import { checkableAssets } from '../../app/ledger/check-ledger.ts';
import {
  type AnyProposal,
  decideProposal,
  describeProposal,
  type ProposalDeps,
  withdrawProposal,
} from '../../app/review/decide-proposal.ts';
import { listProposals } from '../../app/review/list-proposals.ts';
import { rejectTransaction } from '../../app/review/reject-transaction.ts';
import type { ReviewRequest } from '../../domain/review/proposal.ts';
import { renderProposal } from '../../renderings/proposals.ts';
import { type Command, defineCommand, MODE, type Terminal } from '../command.ts';
import { asJsonObject, type Json } from '../terminal/json.ts';
import { readTerminalDecider } from '../terminal-user.ts';
import { PUBLIC_REASON, valueOrThrow } from './decision-words.ts';
import { proposalCommands } from './review-proposals.ts';
import { printQueue, queueJson } from './review-queue.ts';
import { printSubject } from './review-record.ts';

const LIMIT = 100;

const listCommand = defineCommand({
  name: 'reviews list',
  summary: 'List everything that needs review, and the proposals that need a second person.',
  options: { mode: MODE },
  run: (terminal, { options: { mode } }) =>
    terminal.withFoundation(async (foundation) => {
      const { reviewDesk, operations, clock, networks } = foundation;
      const proposals = await listProposals(foundation, mode);
      const queue = await reviewDesk.listQueue(LIMIT, mode);
      const unknown = await reviewDesk.unknownPayouts(clock.now(), LIMIT, mode);
      const groups = await operations.listCaseGroups(mode ?? null);
      const decimals = checkableAssets(networks);
      const page = { proposals, queue, unknown, groups, limit: LIMIT, nowMs: clock.now(), decimals };
      printQueue(terminal, page);
      return queueJson(foundation, page, mode);
    }),
});

const showCommand = defineCommand({
  name: 'reviews show',
  words: ['ID'],
  summary: 'Show a transaction, credit, deposit, refund, notice, case or proposal with its related records.',
  run: (terminal, { words: [id] }) =>
    terminal.withFoundation((foundation) => printSubject(terminal, foundation, id)),
});

const withdrawCommand = defineCommand({
  name: 'reviews withdraw',
  words: ['PROPOSAL_ID'],
  summary: 'Withdraw your own proposal. Nothing changes.',
  options: { reason: { value: 'TEXT', about: 'why' } },
  run: (terminal, { words: [proposalId], options }) =>
    terminal.withFoundation(async (foundation) => {
      const given = { proposalId, reason: options.reason ?? 'withdrawn', actor: foundation.actor };
      const found = valueOrThrow(await withdrawProposal(foundation, given));
      terminal.print(`Withdrawn, nothing was changed: ${describeProposal(found)}.`);
      return asJsonObject({ proposal: renderProposal(found) });
    }),
});

const rejectCommand = defineCommand({
  name: 'reviews reject',
  words: ['TRANSACTION_ID'],
  summary:
    'Reject a buy on hold that received no money. One person is enough. The business sees only the public reason.',
  options: {
    reason: { value: 'TEXT', needed: true, about: 'the private reason' },
    'public-reason': PUBLIC_REASON,
  },
  run: (terminal, { words: [transactionId], options }) =>
    terminal.withFoundation(async (foundation) => {
      const publicReason = options['public-reason'] ?? 'declined';
      const given = { transactionId, note: options.reason, publicReason, actor: foundation.actor };
      const { id, state } = valueOrThrow(await rejectTransaction(foundation, given));
      terminal.print(`${transactionId} is rejected. To see it: bin/sliproad reviews show ${transactionId}`);
      return { transaction_id: id, state };
    }),
});

const approveCommand = defineCommand({
  name: 'reviews approve',
  words: ['PROPOSAL_ID'],
  summary: "Approve another person's proposal. It is carried out immediately.",
  options: { reason: { value: 'TEXT', about: 'why' } },
  run: (terminal, { words: [proposalId], options }) =>
    terminal.withFoundation(async (foundation) => {
      const asked = await foundation.reviewDesk.findProposal(proposalId);
      const given = { proposalId, reason: options.reason ?? 'approved' };
      // When the second person decides on a funding, the service reads the balance of the treasury from its chain again.
      return asked?.request.action === 'fund'
        ? terminal.withNetworks((opened) => approveProposal(terminal, opened, given))
        : approveProposal(terminal, foundation, given);
    }),
});

async function approveProposal(
  terminal: Terminal,
  foundation: Parameters<typeof readTerminalDecider>[1] & ProposalDeps,
  given: { readonly proposalId: string; readonly reason: string },
): Promise<Json> {
  const by = await readTerminalDecider(terminal, foundation, given.proposalId);
  const decided = valueOrThrow(await decideProposal(foundation, { ...given, approve: true, ...by }));
  terminal.print(`Approved and done: ${describeProposal(decided)}.`);
  terminal.print(nextCommandOf(decided));
  return asJsonObject({ proposal: renderProposal(decided) });
}

const declineCommand = defineCommand({
  name: 'reviews decline',
  words: ['PROPOSAL_ID'],
  summary: "Decline another person's proposal. Nothing changes.",
  options: { reason: { value: 'TEXT', needed: true, about: 'why' } },
  run: (terminal, { words: [proposalId], options: { reason } }) =>
    terminal.withFoundation(async (foundation) => {
      const by = { actor: foundation.actor, stepUp: null };
      const given = { proposalId, approve: false, reason, ...by };
      const decided = valueOrThrow(await decideProposal(foundation, given));
      terminal.print(`Declined, nothing was changed: ${describeProposal(decided)}.`);
      return asJsonObject({ proposal: renderProposal(decided) });
    }),
});

export const reviewCommands: readonly Command[] = [
  listCommand,
  showCommand,
  ...proposalCommands,
  ...[approveCommand, declineCommand, withdrawCommand, rejectCommand],
];

function nextCommandOf({ kind, proposal }: AnyProposal): string {
  const entries = kind === 'review' ? entriesSubjectOf(proposal.request) : null;
  if (entries !== null) return `To see the result: bin/sliproad ledger explain ${entries}`;
  if (kind === 'review' && proposal.request.action === 'explained_all')
    return `To see the remaining cases: bin/sliproad cases list --file ${proposal.request.subjectId}`;
  if (kind === 'review') return `To see the result: bin/sliproad reviews show ${proposal.request.subjectId}`;
  const { request } = proposal;
  if (request.setting === 'signing_resumed')
    return 'To resume signing, run this on each machine that was stopped: bin/sliproad signer resume';
  if (request.setting === 'network_forgotten')
    return 'The next start binds the network again, to its configuration at that time. See docs/operate/running-networks.md';
  if (request.setting === 'wallet_set') {
    const { businessId, mode } = request;
    return `To see the result: bin/sliproad businesses wallet show --business ${businessId} --mode ${mode}`;
  }
  return `To see the result: bin/sliproad ${SHOWN_BY[request.setting]}`;
}

/** The subject of the ledger entries, for a proposal that makes only ledger entries. Null: the proposal is about a record. */
function entriesSubjectOf(request: ReviewRequest): string | null {
  if (request.action === 'unfund') return request.detail.fundingId;
  return request.action === 'naira' || request.action === 'fund' ? request.subjectId : null;
}

const SHOWN_BY = {
  vendor_added: 'vendors list',
  vendor_renamed: 'vendors list',
  vendor_enabled: 'vendors list',
  vendor_disabled: 'vendors list',
  vendor_source_set: 'vendors list',
  fee_set: 'fees list',
  limit_set: 'limits list',
  business_frozen: 'freezes list',
  freeze_lifted: 'freezes list',
  claim_limit_lifted: 'matching limits',
  movements_paused: 'movements status',
  movements_resumed: 'movements status',
  rates_set: 'rates book',
  rates_withdrawn: 'rates book',
  spread_set: 'rates spread list',
  tier_set: 'businesses list',
  rail_paused: 'rails list',
  rail_resumed: 'rails list',
  rail_trusted: 'rails list',
  rail_route_set: 'rails routes',
  rail_route_removed: 'rails routes',
  rail_cap_set: 'rails list',
  statement_profile_confirmed: 'statements list',
  person_erased: 'privacy status',
} as const;
