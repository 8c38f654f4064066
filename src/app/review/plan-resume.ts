// Sends of a halted asset go on, once two people have looked at why they stood still.

import { resumeSends } from '../../domain/review/halts.ts';
import {
  type Decider,
  type Plan,
  type ReviewRefusal,
  type ReviewRequest,
  refuse,
} from '../../domain/review/proposal.ts';
import { tokenAsset } from '../../domain/values/assets.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import type { ReviewDeps } from './review-deps.ts';

export async function planResume(
  { treasuryWatch, networks }: ReviewDeps,
  { subjectId, detail: { mode, asset } }: Extract<ReviewRequest, { action: 'resume' }>,
  by: Decider,
): Promise<Result<Plan, ReviewRefusal>> {
  const halt = await treasuryWatch.haltOf(mode, asset);
  if (halt === undefined) return refuse('not_possible', `Sends of ${mode} ${asset} are not halted.`);
  const network = networks.enabled(mode).find((each) => tokenAsset(each.asset.code, each.name) === asset);
  const { findings } = halt;
  if (findings.length > 0 && network === undefined)
    return refuse('not_possible', `The network of ${asset} is not enabled in ${mode} mode.`);
  const hashes = findings.map(({ txHash }) => txHash);
  const sends =
    network === undefined ? new Map() : await treasuryWatch.sendsByHash(mode, network.name, hashes);
  const decimals = network?.asset.decimals ?? null;
  return ok(resumeSends({ mode, asset, decimals, findings }, subjectId, sends, by));
}
