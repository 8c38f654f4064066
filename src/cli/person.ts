// Who decides at this terminal, and the second factor that an approval relies on: the one place where commands get both.
import type { StepUp } from '../domain/people/step-up.ts';
import type { Terminal } from './command.ts';
import type { StepUpper } from './who-type.ts';

export interface Deciding {
  readonly actor: string;
  readonly stepUp: StepUp | null;
}

/** For an approval of this proposal. */
export async function decider(
  terminal: Terminal,
  who: StepUpper & { readonly actor: string },
  proposalId: string,
): Promise<Deciding> {
  return { actor: who.actor, stepUp: await terminal.stepUpFor(who, proposalId) };
}
