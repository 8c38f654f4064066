// Rates on the command line.
import type { Command } from '../../command.ts';
import { bookCommand } from './book.ts';
import { historyCommand } from './history.ts';
import { setPricesCommand, withdrawPricesCommand } from './set-prices.ts';
import { sourcesCommand } from './sources.ts';
import { spreadCommands } from './spread.ts';

export const rateCommands: readonly Command[] = [
  ...[sourcesCommand, bookCommand, historyCommand, setPricesCommand, withdrawPricesCommand],
  ...spreadCommands,
];
