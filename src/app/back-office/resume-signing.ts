// Ends a stop of signing. The stop is a file, so that it works without a database. If the stop affects keys of live networks,
// two people must decide about exactly this stop, which its note identifies.
import type { SettingProposal } from '../../domain/back-office/setting.ts';
import type { ReviewRefusal } from '../../domain/review/proposal.ts';
import { ok, type Result } from '../../domain/values/result.ts';
import { proposeSetting } from './propose-setting.ts';
import type { SettingDeps } from './setting-deps.ts';

export interface SigningStop {
  /** Returns undefined if signing is not stopped. */
  note(): Promise<string | undefined>;
  resume(): Promise<boolean>;
}

export type ResumeSigningOutcome =
  | { readonly kind: 'resumed' | 'not_stopped' }
  | { readonly kind: 'proposed'; readonly proposal: SettingProposal };

export async function resumeSigning(
  deps: SettingDeps,
  stop: SigningStop,
  { actor }: { readonly actor: string },
): Promise<Result<ResumeSigningOutcome, ReviewRefusal>> {
  const note = await stop.note();
  if (note === undefined) return ok({ kind: 'not_stopped' });
  const request = { setting: 'signing_resumed', mode: 'live', note } as const;
  if (!(await isResumeApproved(deps, note))) {
    const proposed = await proposeSetting(deps, request, { actor });
    return proposed.ok ? ok({ kind: 'proposed', proposal: proposed.value }) : proposed;
  }
  await stop.resume();
  return ok({ kind: 'resumed' });
}

async function isResumeApproved({ settingDesk }: SettingDeps, note: string): Promise<boolean> {
  return (await settingDesk.proposalsOn('signing')).some(
    ({ request, decision }) =>
      request.setting === 'signing_resumed' && request.note === note && decision?.approved === true,
  );
}
