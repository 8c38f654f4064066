// The program behind `npm start`: it reads the arguments and runs the service.
import { parseArgs } from 'node:util';
import { ConfigError } from './config.ts';
import { serve } from './serve.ts';
import { isOperatorError } from './wire/operator-errors.ts';

function readArguments(args: readonly string[]): { readonly networks?: string; readonly banks?: string } {
  try {
    return parseArgs({
      args: [...args],
      options: { networks: { type: 'string' }, banks: { type: 'string' } },
    }).values;
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`${message}\nUsage: npm start [-- --networks local|FILE] [--banks local|FILE]`);
  }
}

async function main(): Promise<void> {
  await serve(readArguments(process.argv.slice(2)));
}

main().catch((error: Error) => {
  const expected = error instanceof ConfigError || isOperatorError(error);
  console.error(expected ? `\n${error.message}\n` : error);
  process.exit(1);
});
