// Signs a person in at a terminal: first with the password, then with the second factor. A person without a second factor sets
// one up first. The session token is stored in the session file and never shown.
import { hostname, userInfo } from 'node:os';
import { beginFirstTotp, confirmFirstTotp } from '../app/people/enrol-first-factor.ts';
import type { OpenedSession } from '../app/people/open-session.ts';
import type { PeopleDeps } from '../app/people/people-deps.ts';
import { endSession, findSession } from '../app/people/sessions.ts';
import { type SignInRefusal, signInWithPassword, signInWithSecondFactor } from '../app/people/sign-in.ts';
import { findFreshStepUp, stepUp } from '../app/people/step-up.ts';
import type { StepUp } from '../domain/people/people-needed.ts';
import type { StepUpUser, Terminal } from './command.ts';
import type { Questions } from './questions.ts';
import { readSession, sessionFileOf, writeSession } from './session-file.ts';
import { CommandError } from './terminal/command-error.ts';
import type { Json } from './terminal/json.ts';

type TerminalFactor = 'totp' | 'recovery_code';

export async function signIn(
  terminal: Terminal,
  people: PeopleDeps,
  questions: Questions,
  email: string,
  factor: TerminalFactor = 'totp',
): Promise<Json> {
  const password = await questions.askSecretly(`Password of ${email}: `);
  return signInWith(terminal, people, questions, { email, password }, factor);
}

export async function signInWith(
  terminal: Terminal,
  people: PeopleDeps,
  questions: Questions,
  given: { readonly email: string; readonly password: string },
  factor: TerminalFactor,
): Promise<Json> {
  const { config } = terminal;
  const before = readSession(config);
  const device = before?.device ?? null;
  const pending = await signInWithPassword(people, { ...given, device });
  if (!pending.ok) throw signInError(pending.error);
  const { token, factors } = pending.value;
  const client = {
    surface: 'command_line',
    address: hostname(),
    userAgent: `sliproad, ${userInfo().username}`,
    device,
  } as const;
  const hasFactor = factors.totp || factors.passkeys.length > 0;
  if (hasFactor && !factors.totp && factor === 'totp')
    throw new CommandError(
      'This person signs in with a passkey, which does not work in a terminal. Add an authenticator application on the dashboard, or use --recovery-code.',
      'not_allowed',
    );
  const opened = hasFactor
    ? await askSecondFactor(people, questions, token, factor, client)
    : await setUpFirstFactor(terminal, people, questions, token, client);
  await requireOperator(people, opened);
  writeSession(config, { token: opened.token, device: opened.device });
  // The previous session ends now, because the new token overwrites its token in the session file.
  const old = before === undefined ? undefined : await findSession(people, before.token);
  if (old !== undefined) await endSession(people, old.person.id, old.session.id);
  const until = new Date(opened.session.expiresAtMs).toISOString();
  terminal.print(`Signed in as ${given.email} until ${until}, or until 30 minutes pass without a command.`);
  terminal.print(`The session is in ${sessionFileOf(config)}. To end it: bin/sliproad logout`);
  return { email: given.email, expires_at: until, session_file: sessionFileOf(config) };
}

type SignInClient = Parameters<typeof signInWithSecondFactor>[1] extends infer Given
  ? Omit<Given & object, 'token' | 'factor'>
  : never;

async function askSecondFactor(
  people: PeopleDeps,
  questions: Questions,
  token: string,
  kind: TerminalFactor,
  client: SignInClient,
): Promise<OpenedSession> {
  const question = kind === 'totp' ? 'Code from your authenticator application: ' : 'Recovery code: ';
  const code = await questions.ask(question);
  const opened = await signInWithSecondFactor(people, { token, factor: { kind, code }, ...client });
  if (opened.ok) return opened.value;
  throw signInError(opened.error);
}

async function setUpFirstFactor(
  terminal: Terminal,
  people: PeopleDeps,
  questions: Questions,
  token: string,
  client: SignInClient,
): Promise<OpenedSession> {
  // The person needs these values during the command, and they are shown only once. They are therefore printed even with
  // --json.
  const show = terminal.json ? terminal.note : terminal.print;
  const begun = await beginFirstTotp(people, token);
  if (!begun.ok)
    throw new CommandError(`The second factor was not set up (${begun.error.code}). Sign in again.`);
  show('Add this account to your authenticator application. You need its code to sign in.');
  show(`  Key (time-based): ${begun.value.secret.replaceAll(/(.{4})/g, '$1 ').trim()}`);
  show(`  Or the address:   ${begun.value.uri}`);
  const code = await questions.ask('Current code: ');
  const opened = await confirmFirstTotp(people, { token, code, ...client });
  if (!opened.ok) {
    if (opened.error.code === 'wrong_code')
      throw new CommandError('This code is wrong. Check the clock of your device, and sign in again.');
    throw new CommandError(`The second factor was not set up (${opened.error.code}). Sign in again.`);
  }
  show('Recovery codes. If you lose your device, each signs you in once. They are not shown again:');
  for (const each of opened.value.recoveryCodes) show(`  ${each}`);
  return opened.value;
}

/** Refuses members of businesses, because only people of the operator use this machine. */
async function requireOperator(people: PeopleDeps, { session }: OpenedSession): Promise<void> {
  const person = await people.people.find(session.personId);
  if (person?.operatorRole != null) return;
  await endSession(people, session.personId, session.id);
  throw new CommandError(
    'This person has no role at the operator. Members of a business sign in on the dashboard.',
    'not_allowed',
  );
}

function signInError(error: SignInRefusal): CommandError {
  switch (error.code) {
    case 'sign_in_failed':
      return new CommandError(
        'The address, the password or the code is wrong, or the code was already used. Each code works once: wait for the next one.',
        'not_allowed',
      );
    case 'sign_in_locked':
      return new CommandError(
        `Too many failed attempts. Try again after ${new Date(error.untilMs).toISOString()}.`,
        'not_allowed',
      );
    case 'sign_in_ended':
      return new CommandError(
        'This sign-in has expired after too many codes or too much time. Start again with the password.',
        'not_allowed',
      );
    case 'sign_in_busy':
      return new CommandError('Too many people are signing in at once. Try again in a few seconds.');
  }
}

/**
 * Asks the person at the terminal for a second factor for one proposal. A second factor for the same proposal stays valid for
 * some minutes. After a refused approval, the next try therefore needs no new code.
 */
export async function askForStepUp(
  { people, signedIn }: StepUpUser,
  questions: Questions,
  proposalId: string,
): Promise<StepUp | null> {
  if (signedIn === null) return null;
  const fresh = await findFreshStepUp(people, signedIn, proposalId);
  if (fresh !== undefined) return fresh;
  const code = await questions.ask(`Code from your authenticator application, for ${proposalId}: `);
  const given = await stepUp(people, signedIn, proposalId, { kind: 'totp', code });
  if (given.ok) return given.value;
  throw new CommandError(
    given.error.code === 'locked'
      ? 'Too many wrong codes. Wait 15 minutes, or ask another person to decide.'
      : 'This code is wrong or was already used. Each code works once: wait for the next one. Nothing was changed.',
    'not_allowed',
  );
}
