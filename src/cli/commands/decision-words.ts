// Texts about proposals and decisions, shared by the commands that propose and decide.
import { changeSetting } from '../../app/back-office/change-setting.ts';
import { describeSetting } from '../../domain/back-office/describe-setting.ts';
import type { SettingProposal, SettingRequest } from '../../domain/back-office/setting.ts';
import { PUBLIC_REASONS, type PublicReason } from '../../domain/records/move-reasons.ts';
import type { ReviewRefusal } from '../../domain/review/proposal.ts';
import type { Result } from '../../domain/values/result.ts';
import type { SettingWrite } from '../../ports/setting-store.ts';
import { renderSettingOutcome } from '../../renderings/proposals.ts';
import type { DescribedFoundation } from '../../wire/foundation.ts';
import type { Terminal } from '../command.ts';
import { refusalError } from '../terminal/command-error.ts';
import { asJsonObject, type JsonObject } from '../terminal/json.ts';

export function valueOrThrow<T>(result: Result<T, ReviewRefusal>): T {
  if (result.ok) return result.value;
  throw refusalError(result.error);
}

/** The outcome of a request to change a setting. Its JSON is the same as in the console's response. */
export interface SettingChangeOutcome {
  /** The change that was made. Undefined: the request became a proposal, so nothing has changed yet. */
  readonly write: SettingWrite | undefined;
  readonly json: JsonObject;
}

export async function requestSettingChange(
  terminal: Terminal,
  foundation: DescribedFoundation & { readonly actor: string },
  request: SettingRequest,
): Promise<SettingChangeOutcome> {
  const outcome = valueOrThrow(await changeSetting(foundation, request, foundation));
  if (outcome.kind === 'proposed')
    return { write: undefined, json: showSettingProposal(terminal, outcome.proposal) };
  return { write: outcome.write, json: asJsonObject(renderSettingOutcome(outcome)) };
}

export function showSettingProposal(terminal: Terminal, proposal: SettingProposal): JsonObject {
  const { id, request, proposedBy, why } = proposal;
  terminal.print(`${id}: ${proposedBy} proposes to ${describeSetting(request)}.`);
  if (why !== null) terminal.print(`This needs two people: ${why}`);
  printNextCommand(terminal, id);
  return asJsonObject(renderSettingOutcome({ kind: 'proposed', proposal }));
}

export function printNextCommand(terminal: Terminal, id: string): void {
  terminal.print('Nothing has changed yet. Another person must decide, signed in with their own account:');
  terminal.print(`  bin/sliproad reviews approve ${id}`);
  terminal.print(`  bin/sliproad reviews decline ${id} --reason TEXT`);
}

/**
 * The option --public-reason names the reason that the business sees, from a fixed list. The reviewer's own text stays private.
 */
export const PUBLIC_REASON = {
  choices: PUBLIC_REASONS,
  about: 'reason that the business sees',
} as const;

export function publicReasonDetail(publicReason: PublicReason | undefined): {
  readonly publicReason?: PublicReason;
} {
  return publicReason === undefined ? {} : { publicReason };
}
