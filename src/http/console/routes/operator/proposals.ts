// Decisions by two people: one person proposes, and another person approves with a second factor for this proposal. The guard
// checks the permission; the use-case and the database check that the two people differ.
import { type Static, Type } from 'typebox';
import { readProposal } from '../../../../app/operations/read-review.ts';
import { findFreshStepUp } from '../../../../app/people/step-up.ts';
import { decideProposal, withdrawProposal } from '../../../../app/review/decide-proposal.ts';
import { listProposals } from '../../../../app/review/list-proposals.ts';
import { proposeReview } from '../../../../app/review/propose-review.ts';
import { proposeWithdrawal } from '../../../../app/review/propose-withdrawal.ts';
import { fail, ok } from '../../../../domain/values/result.ts';
import * as schemas from '../../../../renderings/parts/schemas.ts';
import {
  openProposal,
  proposal,
  renderOpenProposal,
  renderProposal,
  renderShownProposal,
  shownProposal,
} from '../../../../renderings/proposals.ts';
import { readSubjectContext } from '../../../../renderings/review.ts';
import type { ConsoleDeps } from '../../deps.ts';
import * as fields from '../../fields.ts';
import { NO_SUCH_RECORD } from '../../refusals.ts';
import { type ConsoleRoute, type HandlerResult, operatorRoute, type SignedInCall } from '../../route.ts';
import { nairaField, parseNaira, reviewFailure } from './decisions.ts';
import { ReviewBody, reviewRequestOf } from './review-body.ts';
import { modeQuery, readModeFilter } from './reviews.ts';

const TAG = { tag: 'Reviews' } as const;
const answer = { proposal };
const DECISION = [
  'not_found',
  'invalid',
  'not_possible',
  'changed',
  'same_person',
  'already_decided',
  'busy',
] as const;
const STEP_UP = ['step_up_needed', 'step_up_old', 'step_up_used'] as const;

const readRoutes = [
  operatorRoute(
    'operations.read',
    'several',
    {
      ...TAG,
      method: 'GET',
      path: '/proposals',
      name: 'listProposals',
      summary: 'List the proposals that need a second person, oldest first',
      query: modeQuery,
      answer: { proposals: Type.Array(openProposal) },
      refusals: ['filter_invalid'],
    },
    async ({ query }, deps) => {
      const mode = readModeFilter(query);
      if (!mode.ok) return mode;
      const listed = await listProposals(deps, mode.value);
      return ok({ proposals: listed.map(renderOpenProposal) });
    },
  ),
  operatorRoute(
    'operations.read',
    'record',
    {
      ...TAG,
      method: 'GET',
      path: '/proposals/:record_id',
      name: 'getProposal',
      summary:
        'Read an open or decided proposal; an open proposal also with the postings that its approval would make',
      answer: { proposal: shownProposal },
      refusals: ['not_found'],
    },
    async ({ params }, deps) => {
      const found = await readProposal(deps, params.record_id!);
      if (found === undefined) return fail(NO_SUCH_RECORD);
      return ok({ proposal: renderShownProposal(found, await readSubjectContext(deps, [])) });
    },
  ),
];

const proposeRoutes = [
  operatorRoute(
    'money.propose',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/proposals/reviews',
      name: 'proposeReview',
      summary: 'Propose a decision about money in review; no money moves before another person approves',
      body: ReviewBody,
      answer,
      refusals: DECISION,
    },
    async ({ actor, body }, deps) => {
      const request = reviewRequestOf(body);
      if (!request.ok) return request;
      const proposed = await proposeReview(deps, { ...request.value, actor });
      if (!proposed.ok) return reviewFailure(proposed.error);
      return ok({ proposal: renderProposal({ kind: 'review', proposal: proposed.value }) });
    },
  ),
  operatorRoute(
    'money.propose',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/proposals/withdrawals',
      name: 'proposeWithdrawal',
      summary: 'Propose to withdraw tokens from a treasury',
      body: Type.Object({
        mode: schemas.mode,
        network: Type.String({ minLength: 1, maxLength: 60, description: 'the network.' }),
        address: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'the address that gets the tokens.',
        }),
        amount: nairaField,
      }),
      answer,
      refusals: DECISION,
    },
    async ({ actor, body: { mode, network, address, amount } }, deps) => {
      const given = { mode, network, address, nairaMinor: parseNaira(amount), actor };
      const proposed = await proposeWithdrawal(deps, given);
      if (!proposed.ok) return reviewFailure(proposed.error);
      return ok({ proposal: renderProposal({ kind: 'review', proposal: proposed.value }) });
    },
  ),
];

const ReasonBody = Type.Object({ reason: fields.reason });

const decideRoutes = [
  operatorRoute(
    'money.approve',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/proposals/:proposal_id/approve',
      name: 'approveProposal',
      summary:
        'Approve the proposal of another person, after a step-up for it; it is carried out immediately',
      body: ReasonBody,
      answer,
      refusals: [...DECISION, ...STEP_UP],
    },
    (call, deps) => answerDecision(call, deps, true),
  ),
  operatorRoute(
    'money.approve',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/proposals/:proposal_id/decline',
      name: 'declineProposal',
      summary: 'Decline the proposal of another person; nothing changes',
      body: ReasonBody,
      answer,
      refusals: DECISION,
    },
    (call, deps) => answerDecision(call, deps, false),
  ),
  operatorRoute(
    'money.propose',
    'nothing',
    {
      ...TAG,
      method: 'POST',
      path: '/proposals/:proposal_id/withdraw',
      name: 'withdrawProposal',
      summary: 'Withdraw your own proposal; nothing changes',
      body: ReasonBody,
      answer,
      refusals: DECISION,
    },
    async ({ actor, params, body: { reason } }, deps) => {
      const withdrawn = await withdrawProposal(deps, { proposalId: params.proposal_id!, actor, reason });
      return withdrawn.ok
        ? ok({ proposal: renderProposal(withdrawn.value) })
        : reviewFailure(withdrawn.error);
    },
  ),
];

async function answerDecision(
  { signedIn, actor, params, body: { reason } }: SignedInCall<Static<typeof ReasonBody>>,
  deps: ConsoleDeps,
  approve: boolean,
): HandlerResult<typeof answer> {
  const proposalId = params.proposal_id!;
  const stepUp = approve ? ((await findFreshStepUp(deps.people, signedIn, proposalId)) ?? null) : null;
  const decided = await decideProposal(deps, { proposalId, actor, approve, reason, stepUp });
  return decided.ok ? ok({ proposal: renderProposal(decided.value) }) : reviewFailure(decided.error);
}

export const proposalRoutes: readonly ConsoleRoute[] = [...readRoutes, ...proposeRoutes, ...decideRoutes];
