// The person at the terminal: the signed-in person or, without a sign-in, the user of the operating system. A command that
// needs a signed-in person is refused with a hint to sign in.
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

/**
 * Reads the user of this terminal and reports an expired session. Without this report, a person would not notice that their
 * actions are recorded without their name.
 */
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

export function requirePerson({ signedIn }: TerminalUser): void {
  if (signedIn === null) throw new CommandError(NEEDS_PERSON, 'not_allowed');
}

/**
 * Throws if the command may not run. The audit log records a read before anything is shown, and a change together with the
 * change itself.
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

/** Whether any `--mode` option is `live`. The option may be repeated, and the command uses only the last one. */
function isLiveMode(args: readonly string[]): boolean {
  return args.some((word, at) => word === '--mode=live' || (word === 'live' && args[at - 1] === '--mode'));
}

/**
 * The person who decides at this terminal, with the second factor for an approval. Commands get both values only from
 * readTerminalDecider.
 */
export interface TerminalDecider {
  readonly actor: string;
  readonly stepUp: StepUp | null;
}

export async function readTerminalDecider(
  terminal: Terminal,
  who: StepUpUser & { readonly actor: string },
  proposalId: string,
): Promise<TerminalDecider> {
  return { actor: who.actor, stepUp: await terminal.stepUpFor(who, proposalId) };
}
