// Adds reviewers with SQL. Each reviewer has a session, and step-ups for the proposals that they approve.
import type { Database } from '../../../src/adapters/postgres/connection/database.ts';
import { changeSetting, type SettingOutcome } from '../../../src/app/back-office/change-setting.ts';
import type { DecisionRequest } from '../../../src/app/back-office/check-decision.ts';
import { decideSetting } from '../../../src/app/back-office/decide-setting.ts';
import type { SettingDeps } from '../../../src/app/back-office/setting-deps.ts';
import { decideReview } from '../../../src/app/review/decide-review.ts';
import type { ReviewDeps } from '../../../src/app/review/review-deps.ts';
import type { SettingRequest } from '../../../src/domain/back-office/setting.ts';
import type { StepUp } from '../../../src/domain/people/people-needed.ts';
import type { Proposal, ReviewRefusal } from '../../../src/domain/review/proposal.ts';
import type { Result } from '../../../src/domain/values/result.ts';

export const MAKER = 'per_ada';
export const CHECKER = 'per_obi';
const OTHERS = ['per_musa', 'per_uche', 'per_eve'] as const;

/** Adds the person `per_ada`, whose name is Ada, with the session `ses_ada`. */
export async function addReviewers(
  database: Database,
  ids: readonly string[] = [MAKER, CHECKER, ...OTHERS],
): Promise<void> {
  const words = ids.map((id) => id.slice('per_'.length));
  await database.query({
    text: `with made as (
        insert into people (id, email, name, created_at)
        select 'per_' || word, word || '@reviewers.test', initcap(word), now() from unnest($1::text[]) as word
        on conflict do nothing returning id),
      roles as (insert into operator_roles (person_id, role) select id, 'admin' from made)
      insert into sessions (id, person_id, token_hash, rotated_at, surface, address, user_agent, created_at, seen_at,
        expires_at)
      select replace(id, 'per_', 'ses_'), id, 'token of ' || id, now(), 'command_line', '', '', now(), now(),
        now() + interval '1 day' from made`,
    values: [words],
  });
}

let given = 0;

export async function giveStepUp(
  database: Database,
  facts: { readonly personId: string; readonly subjectId: string; readonly atMs: number },
): Promise<StepUp> {
  const { personId, subjectId, atMs } = facts;
  const id = `sup_${personId}_${subjectId}_${++given}`;
  await database.query({
    text: `insert into step_ups (id, person_id, session_id, subject_id, at)
      values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000))`,
    values: [id, personId, `ses_${personId.slice('per_'.length)}`, subjectId, atMs],
  });
  return { id, atMs };
}

export async function decideAs(
  database: Database,
  deps: ReviewDeps,
  request: Omit<DecisionRequest, 'stepUp'>,
): Promise<Result<Proposal, ReviewRefusal>> {
  const { actor: personId, proposalId: subjectId, approve } = request;
  const stepUp = approve ? await giveStepUp(database, { personId, subjectId, atMs: deps.clock.now() }) : null;
  return decideReview(deps, { ...request, stepUp });
}

export async function agreeOnSetting(
  deps: SettingDeps & { readonly database: Database },
  request: SettingRequest,
): Promise<Result<SettingOutcome, ReviewRefusal>> {
  await addReviewers(deps.database);
  const proposed = await changeSetting(deps, request, { actor: MAKER });
  if (!proposed.ok || proposed.value.kind === 'done') return proposed;
  const { id: proposalId } = proposed.value.proposal;
  const atMs = deps.clock.now();
  const stepUp = await giveStepUp(deps.database, { personId: CHECKER, subjectId: proposalId, atMs });
  const decision = { proposalId, actor: CHECKER, approve: true, reason: 'looked at', stepUp };
  const decided = await decideSetting(deps, decision);
  return decided.ok ? { ok: true, value: { kind: 'proposed', proposal: decided.value } } : decided;
}
