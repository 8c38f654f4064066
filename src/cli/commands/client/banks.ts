// `banks account`: shows the owner of a bank account, as the bank reports it.
import { defineClientCommand } from '../../client/client-command.ts';
import { asJson, timeText } from '../../client/show.ts';
import type { Command } from '../../command.ts';
import { formatPairs } from '../../terminal/table.ts';

export const bankAccountCommand: Command = defineClientCommand({
  name: 'banks account',
  words: ['CODE', 'NUMBER'],
  summary: 'Look up the owner of a bank account before a sell. The lookup is recorded.',
  run: async (terminal, { client }, { words: [code, number] }) => {
    const account = await client.banks.account(code, number);
    terminal.print(
      formatPairs(
        [
          ['bank', account.bank_name],
          ['account', account.account_number],
          ['name', account.account_name],
          ['checked', timeText(account.checked_at)],
        ],
        terminal.paint,
      ),
    );
    return asJson(account);
  },
});
