// One import on a separate connection. The connection holds the lock of the account. A temporary table holds the rows of the
// file, so that even a long file needs little memory here. The lock and the table end with the connection, even if the process
// dies.
import type pg from 'pg';
import type { DayRow } from '../../../domain/statements/merge-day.ts';
import { normaliseNarration } from '../../../domain/statements/narration.ts';
import type { Mode } from '../../../domain/values/mode.ts';
import type { DayToMerge, DayWrite, ImportSession, StatementFile } from '../../../ports/statements.ts';
import { columnArrays, inputOf } from '../connection/column-arrays.ts';
import { bigintColumn, defineColumns, plainColumn } from '../connection/record-columns.ts';
import { FILE_COLUMNS, minorOrNull, STAGED_COLUMNS, STAGED_NAMES, STORED_VERDICT } from './rows.ts';

/**
 * The lock is held from the assignment of numbers to their commit, so that the numbers are in the order of commits. An arbitrary
 * constant.
 */
const RELEASE_LOCK = 727_201_110;

export async function openStaging(client: pg.Client): Promise<void> {
  const names = STAGED_COLUMNS.map(([name, type]) => `${name} ${type}`).join(', ');
  await client.query(`create temporary table staged_rows (${names})`);
}

export function makeImportSession(client: pg.Client, mode: Mode, account: string): ImportSession {
  const place = [mode, account];
  return {
    lastProfile: async () => {
      const { rows } = await client.query<{ profile: string }>(
        `select profile from statement_files where mode = $1 and account = $2 and state = 'done' and rows_read > 0
         order by started_at desc, id desc limit 1`,
        place,
      );
      return rows[0]?.profile ?? null;
    },
    isProfileConfirmed: async (profile) => {
      const { rowCount } = await client.query(
        'select from statement_profiles_confirmed where mode = $1 and account = $2 and profile = $3',
        [...place, profile],
      );
      return rowCount === 1;
    },
    begin: (file) => beginFile(client, file),
    stage: async (staged) => {
      if (staged.length === 0) return;
      await client.query({
        name: 'stage-rows',
        text: `insert into staged_rows (${STAGED_NAMES}) select * from ${inputOf(STAGED_COLUMNS)}`,
        values: columnArrays(STAGED_COLUMNS, staged),
      });
    },
    noteProgress: (fileId, progress) => noteProgress(client, fileId, progress),
    sameFile: async (digest) => {
      // From here on, days are looked up in the table.
      await client.query('create index on staged_rows (day)');
      await client.query('analyze staged_rows');
      const { rows } = await client.query(
        `select ${FILE_COLUMNS.list()} from statement_files where mode = $1 and account = $2 and digest = $3 and state = 'done'`,
        [...place, digest],
      );
      return rows[0] === undefined ? null : FILE_COLUMNS.read(rows[0]);
    },
    otherAccountOf: async (digest) => {
      const { rows } = await client.query<{ account: string }>(
        `select account from statement_files where mode = $1 and account <> $2 and digest = $3 and state = 'done' limit 1`,
        [...place, digest],
      );
      return rows[0]?.account ?? null;
    },
    closingBefore: async (day) => {
      const { rows } = await client.query<{ closing_minor: string | null }>({
        name: 'closing-before',
        text: `select case when state = 'sound' then closing_minor end as closing_minor from statement_days
          where mode = $1 and account = $2 and day < $3 order by day desc limit 1`,
        values: [...place, day],
      });
      return minorOrNull(rows[0]?.closing_minor ?? null);
    },
    dayAtHand: (day, newestFirst) => readDayAtHand(client, place, day, newestFirst),
    writeDay: (file, write, newestFirst, atMs) => writeDay(client, file, write, newestFirst, atMs),
    nextDay: async (day) => {
      const { rows } = await client.query<{ day: string }>(
        `select day::text from statement_days where mode = $1 and account = $2 and day > $3 and rows > 0 order by day limit 1`,
        [...place, day],
      );
      return rows[0]?.day ?? null;
    },
    end: (file) => endFile(client, file),
  };
}

async function beginFile(client: pg.Client, file: StatementFile): Promise<void> {
  // This import holds the lock. So if a file is still in state `reading`, the process that imported it has died. Its rows stay,
  // and later imports treat them as known.
  await client.query(
    `update statement_files set state = 'failed', ended_at = $3 where mode = $1 and account = $2 and state = 'reading'`,
    [file.mode, file.account, new Date(file.startedAtMs)],
  );
  await client.query(
    `insert into statement_files (id, mode, account, vendor_id, name, format, profile, imported_by, started_at, bytes_total, state)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'reading')`,
    [
      ...[file.id, file.mode, file.account, file.vendorId, file.name, file.format, file.profile],
      ...[file.importedBy, new Date(file.startedAtMs), file.bytesTotal],
    ],
  );
}

async function noteProgress(
  client: pg.Client,
  fileId: string,
  { rowsRead, bytesRead }: Pick<StatementFile, 'rowsRead' | 'bytesRead'>,
): Promise<void> {
  await client.query({
    name: 'note-progress',
    text: 'update statement_files set rows_read = $2, bytes_read = $3 where id = $1',
    values: [fileId, rowsRead, bytesRead],
  });
}

async function endFile(client: pg.Client, file: StatementFile): Promise<void> {
  await client.query(
    `update statement_files set state = $2, digest = $3, ended_at = $4, rows_read = $5, rows_new = $6, rows_known = $7,
       from_day = $8, to_day = $9, problems = $10, bytes_read = $11, in_minor = $12, out_minor = $13,
       awaits_confirmation = $14 where id = $1`,
    [
      ...[
        file.id,
        file.state,
        file.digest,
        new Date(file.endedAtMs!),
        file.rowsRead,
        file.rowsNew,
        file.rowsKnown,
      ],
      ...[file.fromDay, file.toDay, JSON.stringify(file.problems), file.bytesRead],
      ...[minorText(file.totals?.inMinor ?? null), minorText(file.totals?.outMinor ?? null)],
      file.awaitsConfirmation,
    ],
  );
}

const LEAN = defineColumns<DayRow>({
  key: plainColumn,
  amountMinor: bigintColumn,
  balanceMinor: bigintColumn,
  reference: plainColumn,
  narration: plainColumn,
});

function readLean(row: object): DayRow {
  const lean = LEAN.read(row);
  return { ...lean, narration: normaliseNarration(lean.narration) };
}

async function readDayAtHand(
  client: pg.Client,
  place: readonly string[],
  day: string,
  newestFirst: boolean,
): Promise<DayToMerge> {
  const at = [...place, day];
  const stored = await client.query<{ file_id: string; profile: string }>({
    name: 'stored-rows-of-day',
    text: `select ${LEAN.list()}, file_id, (select f.profile from statement_files f where f.id = file_id) as profile
      from statement_rows where mode = $1 and account = $2 and day = $3 order by key, ordinal`,
    values: at,
  });
  const shown = await client.query<{ seq: number; line: number }>({
    name: `staged-rows-of-day-${newestFirst ? 'newest' : 'oldest'}`,
    text: `select ${LEAN.list()}, seq, line from staged_rows where day = $1
      order by seq ${newestFirst ? 'desc' : 'asc'}`,
    values: [day],
  });
  const ends = await client.query<{ previous: string | null; next: string | null }>({
    name: 'days-around',
    text: `select
        (select closing_minor from statement_days where mode = $1 and account = $2 and day < $3 order by day desc limit 1) as previous,
        (select opening_minor from statement_days where mode = $1 and account = $2 and day > $3 order by day limit 1) as next`,
    values: at,
  });
  const days = await client.query({
    name: 'stored-day',
    text: `select ${STORED_VERDICT.list()} from statement_days where mode = $1 and account = $2 and day = $3`,
    values: at,
  });
  return {
    stored: stored.rows.map((row) => ({ ...readLean(row), profile: row.profile })),
    isOnePiece: new Set(stored.rows.map((row) => row.file_id)).size === 1,
    shown: shown.rows.map((row) => ({ ...readLean(row), seq: row.seq, line: row.line })),
    before: days.rows[0] === undefined ? null : STORED_VERDICT.read(days.rows[0]),
    previousClosingMinor: minorOrNull(ends.rows[0]!.previous),
    nextOpeningMinor: minorOrNull(ends.rows[0]!.next),
  };
}

const COPIED = `day, key, amount_minor, balance_minor, value_day, booked_at, narration, reference, session_id, payer_name,
  payer_account, payer_bank_name, narrated_account, name_from, account_from, bank_from, session_from, kind, line, direction_by`;

async function writeDay(
  client: pg.Client,
  { id, mode, account, profile }: StatementFile,
  { day, add, verdict, doubt, complete, rows }: DayWrite,
  newestFirst: boolean,
  atMs: number,
): Promise<void> {
  await client.query('begin');
  try {
    if (add.length > 0)
      await client.query({
        name: `add-rows-of-day-${newestFirst ? 'newest' : 'oldest'}`,
        text: `insert into statement_rows (mode, account, ordinal, file_id, seq, at, ${COPIED})
          select $1, $2, a.ordinal, $3, ${newestFirst ? '-a.seq' : 'a.seq'}, $4, ${COPIED}
          from staged_rows s join unnest($5::integer[], $6::integer[]) a (seq, ordinal) on a.seq = s.seq where s.day = $7`,
        values: [
          mode,
          account,
          id,
          new Date(atMs),
          add.map(({ seq }) => seq),
          add.map(({ ordinal }) => ordinal),
          day,
        ],
      });
    await client.query({
      name: 'write-day',
      text: `insert into statement_days (mode, account, day, complete, state, opening_minor, closing_minor, rows, profile, gap, doubt, updated_at)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        on conflict (mode, account, day) do update set complete = excluded.complete, state = excluded.state,
          opening_minor = excluded.opening_minor, closing_minor = excluded.closing_minor, rows = excluded.rows,
          gap = excluded.gap, doubt = excluded.doubt, updated_at = excluded.updated_at,
          profile = case when statement_days.rows = 0 then excluded.profile else statement_days.profile end`,
      values: [
        ...[
          mode,
          account,
          day,
          complete,
          verdict.state,
          minorText(verdict.openingMinor),
          minorText(verdict.closingMinor),
        ],
        ...[rows, profile, verdict.gap, doubt, new Date(atMs)],
      ],
    });
    if (verdict.state !== 'gap') await releaseDay(client, mode, account, day);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Each row gets the next number once, in the order of the file. */
async function releaseDay(client: pg.Client, mode: Mode, account: string, day: string): Promise<void> {
  await client.query('select pg_advisory_xact_lock($1)', [RELEASE_LOCK]);
  // The statistics do not know the rows of this transaction. A nested loop would compare every row with every other row.
  await client.query('set local enable_nestloop = off');
  await client.query({
    name: 'release-rows',
    text: `with held as materialized (
        select key, ordinal from statement_rows where mode = $1 and account = $2 and day = $3 and release_no is null
        order by seq, key, ordinal),
      numbered as materialized (select key, ordinal, nextval('statement_releases') as no from held)
      update statement_rows r set release_no = n.no from numbered n
      where r.mode = $1 and r.account = $2 and r.day = $3 and r.key = n.key and r.ordinal = n.ordinal`,
    values: [mode, account, day],
  });
}

function minorText(value: bigint | null): string | null {
  return value === null ? null : String(value);
}
