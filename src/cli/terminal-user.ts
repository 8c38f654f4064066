// The person at the keyboard: the person signed in on this terminal, or else the user of the operating system. A command that needs
// a person is refused with a hint to sign in.
import { userInfo } from 'node:os';
import { type RecordReadDeps, recordRead } from '../app/audit/record-actions.ts';
import type { PeopleDeps } from '../app/people/people-deps.ts';
import { findSession } from '../app/people/sessions.ts';
import type { Config } from '../config.ts';
import { osActor } from '../domain/people/actor.ts';
import type { StepUp } from '../domain/people/people-needed.ts';
import { operatorRoleMay } from '../domain/people/roles.ts';
import { accessOf, type CommandAccess } from './access.ts';
import type { StepUpUser, Terminal, TerminalUser } from './command.ts';
import { readSession } from './session-file.ts';
import { CommandError } from './terminal/command-error.ts';

export const SIGN_IN_FIRST = 'Sign in first: bin/sliproad login --email ADDRESS';
const NEEDS_PERSON = `This command decides about money or access, so a person must sign in. ${SIGN_IN_FIRST}`;

/** Reports an expired session. Otherwise a person would not notice that their actions are recorded without their name. */
export async function readTerminalUser(
  people: PeopleDeps,
  config: Config,
  warn: (warning: string) => void,
): Promise<TerminalUser> {
  const saved = readSession(config);
  const signedIn = saved === undefined ? undefined : await findSession(people, saved.token);
  if (signedIn !== undefined) return { actor: signedIn.person.id, signedIn };
  const actor = osActor(userInfo().username);
  if (saved !== undefined) warn(`The session of this terminal has expired. This command runs as ${actor}.`);
  return { actor, signedIn: null };
}

/** Requires a signed-in person, for commands that find out only during the run that live mode is affected. */
export function requirePerson({ signedIn }: TerminalUser): void {
  if (signedIn === null) throw new CommandError(NEEDS_PERSON, 'not_allowed');
}

/**
 * Lets a command run, or throws. A read is recorded before anything is shown. A change is recorded together with the change
 * itself.
 */
export async function admitCommand(
  command: string,
  foundation: RecordReadDeps,
  who: TerminalUser,
  args: readonly string[],
): Promise<void> {
  const access = accessOf(command);
  checkCommandAccess(access, who, args);
  if (access === 'read') await recordRead(foundation, who.actor, null, command);
}

/** Throws if this person may not run the command, or if it needs a person and none is signed in. */
export function checkCommandAccess(
  access: CommandAccess,
  { signedIn }: TerminalUser,
  args: readonly string[],
): void {
  if (access === 'machine' || access === 'read') return;
  const { permission, signIn } = access;
  if (signedIn === null) {
    if (signIn === 'always' || (signIn === 'live' && isLiveMode(args)))
      throw new CommandError(NEEDS_PERSON, 'not_allowed');
    return;
  }
  const { operatorRole, email } = signedIn.person;
  if (operatorRole !== null && operatorRoleMay(operatorRole, permission)) return;
  throw new CommandError(
    `${email} has the role ${operatorRole ?? 'none'}, which does not allow this (it needs ${permission}). The roles are in docs/operate/people.md.`,
    'not_allowed',
  );
}

/** Whether any --mode is live. The option may be repeated, and the command uses only the last one. */
function isLiveMode(args: readonly string[]): boolean {
  return args.some((word, at) => word === '--mode=live' || (word === 'live' && args[at - 1] === '--mode'));
}

/** The person who decides at this terminal, and the second factor for an approval. Commands get both only here. */
export interface TerminalDecider {
  readonly actor: string;
  readonly stepUp: StepUp | null;
}

/** The second factor for an approval of this proposal. */
export async function readTerminalDecider(
  terminal: Terminal,
  who: StepUpUser & { readonly actor: string },
  proposalId: string,
): Promise<TerminalDecider> {
  return { actor: who.actor, stepUp: await terminal.stepUpFor(who, proposalId) };
}
