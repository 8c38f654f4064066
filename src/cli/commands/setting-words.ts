// Shared by the commands that change settings: what is printed when a setting was proposed and waits for a second person.
import { changeSetting } from '../../app/back-office/change-setting.ts';
import type { SettingProposal, SettingRequest } from '../../domain/back-office/setting.ts';
import { describeSetting } from '../../domain/back-office/setting-words.ts';
import type { SettingWrite } from '../../ports/setting-desk.ts';
import { renderOutcome } from '../../renderings/review/settings.ts';
import type { DescribedFoundation } from '../../wire/foundation.ts';
import type { Terminal } from '../command.ts';
import { type JsonObject, rendered } from '../terminal/json.ts';
import { answerOf } from './review-words.ts';

/** What became of a request to change a setting, and what --json prints of it: the same as the console answers. */
export interface Changed {
  /** Undefined when it was proposed: nothing has changed yet. */
  readonly write: SettingWrite | undefined;
  readonly json: JsonObject;
}

/** When it is proposed, the way to the second person is printed. */
export async function change(
  terminal: Terminal,
  foundation: DescribedFoundation & { readonly actor: string },
  request: SettingRequest,
): Promise<Changed> {
  const outcome = answerOf(await changeSetting(foundation, request, foundation));
  if (outcome.kind === 'proposed')
    return { write: undefined, json: showSettingProposal(terminal, outcome.proposal) };
  return { write: outcome.write, json: rendered(renderOutcome(outcome)) };
}

export function showSettingProposal(terminal: Terminal, proposal: SettingProposal): JsonObject {
  const { id, request, proposedBy, why } = proposal;
  terminal.print(`${id}: ${proposedBy} proposes to ${describeSetting(request)}.`);
  if (why !== null) terminal.print(`It takes two people: ${why}`);
  printNext(terminal, id);
  return rendered(renderOutcome({ kind: 'proposed', proposal }));
}

export function printNext(terminal: Terminal, id: string): void {
  terminal.print('Nothing has changed yet. Another person, signed in with their own account, decides:');
  terminal.print(`  bin/sliproad reviews approve ${id}`);
  terminal.print(`  bin/sliproad reviews decline ${id} --reason TEXT`);
}
