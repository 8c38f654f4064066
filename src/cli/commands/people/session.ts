// Signing in and out at a terminal, and who is signed in.
import { endSession } from '../../../app/people/sessions.ts';
import { makeQuestions, type Questions } from '../../ask.ts';
import { type Command, readOptions, required } from '../../command.ts';
import { readSession, writeSession } from '../../session-file.ts';
import { signIn } from '../../sign-in.ts';
import { SIGN_IN_FIRST } from '../../who.ts';

export function sessionCommands(questions: () => Questions = makeQuestions): readonly Command[] {
  return [
    {
      name: 'login',
      usage: '--email ADDRESS [--recovery-code]',
      summary:
        'Sign in with password and second factor, which are asked for. Without a terminal they are the lines of standard input.',
      run: (terminal, args) => {
        const { options } = readOptions(args, { email: 'text', 'recovery-code': 'flag' });
        const email = required(options.email, '--email');
        const factor = options['recovery-code'] === undefined ? 'totp' : 'recovery_code';
        return terminal.withFoundation(({ people }) => signIn(terminal, people, questions(), email, factor));
      },
    },
    {
      name: 'logout',
      usage: '',
      summary: 'End the session of this terminal.',
      run: async (terminal, args) => {
        readOptions(args, {});
        if (readSession(terminal.config) === undefined) return terminal.print('No person is signed in here.');
        await terminal.withFoundation(async ({ people, signedIn }) => {
          if (signedIn !== null) await endSession(people, signedIn.person.id, signedIn.session.id);
        });
        writeSession(terminal.config, undefined);
        terminal.print('Signed out.');
      },
    },
    {
      name: 'whoami',
      usage: '',
      summary: 'Show who is signed in on this terminal, and with which role.',
      run: (terminal, args) => {
        readOptions(args, {});
        return terminal.withFoundation(async ({ actor, signedIn }) => {
          if (signedIn === null) {
            terminal.print(`No person is signed in. Commands are recorded as ${actor}.`);
            return terminal.print(SIGN_IN_FIRST);
          }
          const { person, session } = signedIn;
          terminal.print(
            `${person.name} <${person.email}> (${person.id}), role ${person.operatorRole ?? 'none'}`,
          );
          terminal.print(`Session ${session.id} ends at ${new Date(session.expiresAtMs).toISOString()}.`);
        });
      },
    },
  ];
}
