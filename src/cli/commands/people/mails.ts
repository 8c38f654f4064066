// The queue of mails on the command line: what was sent, what could not be sent, and on a sandbox what the mails say.
import { listMails } from '../../../app/membership/list-mails.ts';
import { type Command, CommandError, readOptions } from '../../command.ts';

export const mailCommands: readonly Command[] = [
  {
    name: 'mails list',
    usage: '',
    summary: 'List the newest mails with their state. On the embedded database it shows their text, too.',
    run: (terminal, args) => {
      readOptions(args, {});
      return terminal.withFoundation(async ({ membership, actor }) => {
        const listed = await listMails(membership, actor);
        if (!listed.ok) throw new CommandError(listed.error.message);
        if (listed.value.length === 0) return terminal.print('There are no mails.');
        for (const { id, createdAtMs, recipient, subject, state, problem, body } of listed.value) {
          terminal.print(`${id}  ${new Date(createdAtMs).toISOString()}  ${state}  ${recipient}  ${subject}`);
          if (problem !== null) terminal.print(`    ${problem}`);
          if (body !== null) terminal.print(body.replaceAll(/^/gm, '    '));
        }
      });
    },
  },
];
