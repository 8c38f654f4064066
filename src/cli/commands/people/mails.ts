// The queue of mails on the command line: what was sent, what could not be sent, and on a sandbox what the mails say.
import { listMails } from '../../../app/membership/list-mails.ts';
import { renderMail } from '../../../renderings/people/mails.ts';
import { type Command, command, iso } from '../../command.ts';
import { refused } from '../../terminal/failure.ts';

export const mailCommands: readonly Command[] = [
  command({
    name: 'mails list',
    summary: 'List the newest mails with their state. On the embedded database it shows their text, too.',
    run: (terminal) =>
      terminal.withFoundation(async ({ membership, actor }) => {
        const listed = await listMails(membership, actor);
        if (!listed.ok) throw refused(listed.error);
        if (listed.value.length === 0) terminal.print('There are no mails.');
        for (const { id, createdAtMs, recipient, subject, state, problem, body } of listed.value) {
          terminal.print(`${id}  ${iso(createdAtMs)}  ${state}  ${recipient}  ${subject}`);
          if (problem !== null) terminal.print(`    ${problem}`);
          if (body !== null) terminal.print(body.replaceAll(/^/gm, '    '));
        }
        return { mails: listed.value.map(renderMail) };
      }),
  }),
];
