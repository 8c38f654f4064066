// The second factor of the person at the terminal for one proposal. One that was given within the last minutes, for this
// proposal, still counts: an approval that was refused meanwhile needs no second code.
import { freshStepUp, stepUp } from '../app/people/step-up.ts';
import type { StepUp } from '../domain/people/step-up.ts';
import type { Questions } from './ask.ts';
import { CommandError } from './terminal/failure.ts';
import type { StepUpper } from './who-type.ts';

export async function askForStepUp(
  { people, signedIn }: StepUpper,
  questions: Questions,
  proposalId: string,
): Promise<StepUp | null> {
  if (signedIn === null) return null;
  const fresh = await freshStepUp(people, signedIn, proposalId);
  if (fresh !== undefined) return fresh;
  const code = await questions.ask(`Code of your authenticator application, for ${proposalId}: `);
  const given = await stepUp(people, signedIn, proposalId, { kind: 'totp', code });
  if (given.ok) return given.value;
  throw new CommandError(
    given.error.code === 'locked'
      ? 'Too many wrong codes. Wait for 15 minutes, or ask another person to decide.'
      : 'This code is wrong, or was used before: a code can be used once, so wait for the next one. Nothing was changed.',
    'not_allowed',
  );
}
