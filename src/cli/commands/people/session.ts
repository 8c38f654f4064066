// Commands to sign in and out at a terminal, and to show the signed-in person.
import { endSession } from '../../../app/people/sessions.ts';
import { type Command, defineCommand, isoTimeText } from '../../command.ts';
import { makeQuestions, type Questions } from '../../questions.ts';
import { readSession, writeSession } from '../../session-file.ts';
import { signIn } from '../../sign-in.ts';
import { SIGN_IN_FIRST } from '../../terminal-user.ts';

export function sessionCommands(questions: () => Questions = makeQuestions): readonly Command[] {
  return [
    defineCommand({
      name: 'login',
      summary:
        'Sign in with a password and a second factor. The command asks for both; without a terminal it reads them from standard input, one per line.',
      options: {
        email: { value: 'ADDRESS', needed: true, about: 'the e-mail address of the person' },
        'recovery-code': { about: 'use a recovery code as the second factor' },
      },
      run: (terminal, { options }) => {
        const factor = options['recovery-code'] ? 'recovery_code' : 'totp';
        return terminal.withFoundation(({ people }) =>
          signIn(terminal, people, questions(), options.email, factor),
        );
      },
    }),
    defineCommand({
      name: 'logout',
      summary: 'End the session of this terminal.',
      run: async (terminal) => {
        const answer = { signed_in: false };
        if (readSession(terminal.config) === undefined) {
          terminal.print('No person is signed in here.');
          return answer;
        }
        await terminal.withFoundation(async ({ people, signedIn }) => {
          if (signedIn !== null) await endSession(people, signedIn.person.id, signedIn.session.id);
        });
        writeSession(terminal.config, undefined);
        terminal.print('Signed out.');
        return answer;
      },
    }),
    defineCommand({
      name: 'whoami',
      summary: 'Show who is signed in on this terminal, and with which role.',
      run: (terminal) =>
        terminal.withFoundation(async ({ actor, signedIn }) => {
          if (signedIn === null) {
            terminal.print(`No person is signed in. Commands are recorded as ${actor}.`);
            terminal.print(SIGN_IN_FIRST);
            return { signed_in: false, actor };
          }
          const { person, session } = signedIn;
          const { id, name, email, operatorRole: role } = person;
          const ends = isoTimeText(session.expiresAtMs);
          terminal.print(`${name} <${email}> (${id}), role ${role ?? 'none'}`);
          terminal.print(`Session ${session.id} ends at ${ends}.`);
          return {
            signed_in: true,
            actor,
            id,
            name,
            email,
            role,
            session_id: session.id,
            session_ends_at: ends,
          };
        }),
    }),
  ];
}
