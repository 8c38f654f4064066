// No provider of a network answered what is asked before the network is used. That says nothing about the settings: it is
// asked again later, while what a chain says differently from the settings is for the operator to mend.
import type { ProviderState } from '../../../ports/network/watches.ts';

export class NoProviderAnswers extends Error {
  override readonly name = 'NoProviderAnswers';

  /** What each provider failed with is part of the message, and nothing of its address but the host. */
  constructor(network: string, providers: readonly Pick<ProviderState, 'name' | 'problem'>[]) {
    const each = providers.map(({ name, problem }) => problemAt(name, problem ?? 'no answer that is of use'));
    super(`${network}: no provider answers (${each.join('; ')}).`);
  }
}

/** Once with the host, whether or not the provider said it itself. */
function problemAt(name: string, problem: string): string {
  return problem.includes(name) ? problem : `${name}: ${problem}`;
}
