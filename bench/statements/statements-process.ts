// Imports a statement file in a separate process, so that the measured memory belongs only to the import. The process prints
// one line of JSON. Its arguments are the file and the connection of a database. Without a connection, the process only reads
// the rows and computes their keys.
import { createReadStream } from 'node:fs';
import { loadBankDirectory } from '../../src/adapters/catalogue/bank-directory.ts';
import { openDatabase } from '../../src/adapters/postgres/connection/database.ts';
import { makeStatementStore } from '../../src/adapters/postgres/statements/statement-store.ts';
import { makeStatementReaders } from '../../src/adapters/statements/readers.ts';
import { importStatement } from '../../src/app/statements/import-statement.ts';
import { readStatementFile } from '../../src/app/statements/read-statement-file.ts';

const [file, connectionText] = [process.argv[2]!, process.argv[3]];
const ACCOUNT = {
  mode: 'test',
  account: 'gtbank:9900112233',
  number: '9900112233',
  vendorId: 'vnd_bench',
} as const;
const statementReaders = makeStatementReaders(null);
const banks = loadBankDirectory();
const startedMs = performance.now();
const read = connectionText === undefined ? await onlyRead() : await imported(JSON.parse(connectionText));
const seconds = (performance.now() - startedMs) / 1_000;
console.log(JSON.stringify({ rows: read, seconds, peakMiB: process.resourceUsage().maxRSS / 1_024 }));

async function onlyRead(): Promise<number> {
  const opened = await statementReaders.open(createReadStream(file), null);
  const session = { stage: async () => undefined, closingBefore: async () => null };
  const isBank = (text: string) => banks.resolve(text) !== undefined;
  return (await readStatementFile(opened, ACCOUNT, session, { isBank, today: '2030-01-01' })).rows;
}

async function imported(connection: Parameters<typeof makeStatementStore>[1]): Promise<number> {
  const settings = { connection, poolSize: 1, answerTimeoutMs: 60_000, applicationName: 'bench' };
  const database = openDatabase({ ...settings, onError: () => undefined });
  const deps = {
    // The account has a source, so the import does not ask.
    store: {
      creditSources: async () =>
        new Map([[ACCOUNT.account, { source: 'statements', others: false, version: 1 }]]),
    },
    ...{ statements: makeStatementStore(database, connection), statementReaders, banks },
    clock: { now: () => Date.parse('2030-01-01T00:00:00Z') },
    entropy: { bytes: (count: number) => new Uint8Array(count) },
  };
  const result = await importStatement(deps, {
    ...{ account: ACCOUNT, name: 'bench.csv', bytes: createReadStream(file), profile: null },
    ...{ profileChange: false, dryRun: false, actor: 'os:bench' },
  });
  await database.close();
  if (!result.ok) throw new Error(result.error.message);
  return result.value.file.rowsNew;
}
