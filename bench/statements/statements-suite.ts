// Measures the import of a statement file of a million rows: how fast the file is read, how fast its rows get into PostgreSQL,
// and how much memory the process needs.
import { execFile } from 'node:child_process';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { openEmbedded } from '../../src/adapters/embedded/server/open.ts';
import { migrate } from '../../src/adapters/postgres/connection/migrate.ts';
import { dayAfter } from '../../src/domain/statements/days.ts';
import type { Ratio, SuiteResult } from '../report.ts';
import type { RoundOptions } from '../rounds.ts';

const ROWS = 1_000_000;
const MOST_MIB = 256;
/** bin/sliproad starts the import with the same flags. */
const FLAGS = ['--max-semi-space-size=4'];

const PER_DAY = 2_740;

function* generated(rows: number): Generator<string> {
  yield 'Trans. Date,Value Date,Reference,Debits,Credits,Balance,Originating Branch,Remarks\n';
  let balance = 1_000_000;
  let day = '2024-01-01';
  for (let row = 0; row < rows; ) {
    let text = '';
    for (let count = 0; count < 500 && row < rows; count++, row++) {
      if (row > 0 && row % PER_DAY === 0) day = dayAfter(day);
      const naira = 1_000 + (row % 97);
      const isOut = row % 5 === 4;
      balance += isOut ? -naira : naira;
      text += `${day},${day},'${row},${isOut ? `${naira}.00` : ''},${isOut ? '' : `${naira}.00`},"${balance.toLocaleString('en')}.00",221,NIP/KUDA/PAYER NUMBER ${row % 5_000}/${String(row).padStart(12, '0')}\n`;
    }
    yield text;
  }
}

interface Run {
  readonly rows: number;
  readonly seconds: number;
  readonly peakMiB: number;
}

export async function statements({ onProgress }: RoundOptions): Promise<SuiteResult> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'sliproad-bench-'));
  const server = await openEmbedded({ dataDir, log: () => undefined });
  try {
    await migrate(server.connection);
    const file = path.join(dataDir, 'statement.csv');
    await pipeline(generated(ROWS), createWriteStream(file));
    onProgress('reading');
    const read = await runOf([file]);
    onProgress('importing');
    const imported = await runOf([file, JSON.stringify(server.connection)]);
    onProgress('');
    return {
      suite: 'statements',
      notes: [
        `${ROWS.toLocaleString('en')} rows of CSV with balances, streamed, in a process of its own (${FLAGS.join(' ')}, as bin/sliproad)`,
        `read and keyed: ${perSecond(read)} rows/s; imported into PostgreSQL: ${perSecond(imported)} rows/s`,
      ],
      rates: {},
      ratios: [
        memory('read and keyed, peak MiB / 256 MiB', read),
        memory('imported, peak MiB / 256 MiB', imported),
      ],
    };
  } finally {
    await server.release();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function runOf(args: readonly string[]): Promise<Run> {
  const script = path.join(import.meta.dirname, 'statements-process.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [...FLAGS, script, ...args]);
  const run = JSON.parse(stdout.trim().split('\n').at(-1)!) as Run;
  if (run.rows !== ROWS) throw new Error(`${run.rows} rows came out of ${ROWS}`);
  return run;
}

function perSecond({ rows, seconds }: Run): string {
  return Math.round(rows / seconds).toLocaleString('en');
}

function memory(name: string, { peakMiB }: Run): Ratio {
  const share = peakMiB / MOST_MIB;
  return { name, aim: 1, atMost: true, median: share, min: share, max: share };
}
