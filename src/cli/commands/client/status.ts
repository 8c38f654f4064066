// `status`: shows the current state of a transaction or, with --watch, its events as they happen. With --watch, the exit code
// shows how the transaction ended.
import { defineClientCommand } from '../../client/client-command.ts';
import { asJson, nairaText, printTransaction } from '../../client/show.ts';
import { ENDED_STATES, watchTransaction } from '../../client/watch.ts';
import { durationOption, STREAMED_ANSWER } from '../../command.ts';
import { CommandError, UsageError } from '../../terminal/command-error.ts';

export const statusCommand = defineClientCommand({
  name: 'status',
  words: ['ID'],
  summary:
    'Show a transaction. With --watch: one line per event until it ends. Exit code 0: completed; 5: any other end.',
  options: {
    watch: { about: 'follow the transaction until it ends' },
    timeout: {
      value: 'DURATION',
      about: 'with --watch: give up after this time, for example 60s (exit code 1)',
    },
  },
  run: async (terminal, { client }, { words: [id], options }) => {
    if (!options.watch) {
      if (options.timeout !== undefined) throw new UsageError('--timeout needs --watch.');
      const transaction = await client.transactions.get(id);
      printTransaction(terminal, transaction);
      return asJson(transaction);
    }
    const timeoutMs =
      options.timeout === undefined ? undefined : durationOption(options.timeout, '--timeout');
    const isEnough = ({ state }: { readonly state: string }) =>
      (ENDED_STATES as readonly string[]).includes(state);
    const { transaction, enough } = await watchTransaction(terminal, { client, id, isEnough, timeoutMs });
    const { state, type, amount, exception, next_action } = transaction;
    const found = { transaction_id: id, state, exception, ended: enough };
    const why = transaction.state_message === null ? '' : ` ${transaction.state_message}`;
    if (enough && state === 'completed') {
      terminal.print(`The ${type.toLowerCase()} of ${nairaText(amount)} is completed.`);
      terminal.emit(found);
      return STREAMED_ANSWER;
    }
    if (enough)
      throw new CommandError(`The ${type.toLowerCase()} ended as ${state}.${why}`, 'conflict', found);
    if (terminal.interrupted.aborted) {
      terminal.emit(found);
      return STREAMED_ANSWER;
    }
    const next = next_action === null ? '' : ` Next: ${next_action}`;
    const message = `The transaction is still ${state} after ${options.timeout}.${next}`;
    throw new CommandError(message, 'failed', found);
  },
});
