// The PostgreSQL session of an online backup, which stays the same from start to stop. A temporary replication slot keeps the
// log that is written during the backup. The server drops the slot when the session ends for any reason.
import { randomBytes } from 'node:crypto';
import { connectMaintenance, type EmbeddedConnection } from '../server/connection.ts';
import { backupRole } from '../server/settings.ts';

// Computes the names of the write-ahead log segments between two positions. A backup contains every segment from its start to
// its stop, because a restore needs all of them to reach a consistent state.

/** Converts a log position such as "16/B374D848" to one number. */
export function parseLsn(text: string): bigint {
  const match = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text);
  if (match === null) throw new RangeError(`not a log position: ${text}`);
  return (BigInt(`0x${match[1]}`) << 32n) + BigInt(`0x${match[2]}`);
}

/** The file names of the log segments. The first contains `start`, and the last contains the last byte before `stop`. */
export function segmentNames(timeline: number, start: string, stop: string, segmentBytes: number): string[] {
  const size = BigInt(segmentBytes);
  const perLog = 0x1_0000_0000n / size;
  const first = parseLsn(start) / size;
  const last = (parseLsn(stop) - 1n) / size;
  if (last < first) throw new RangeError(`log position ${stop} lies before ${start}`);
  const hex = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0');
  const names: string[] = [];
  for (let segment = first; segment <= last; segment++) {
    names.push(`${hex(BigInt(timeline))}${hex(segment / perLog)}${hex(segment % perLog)}`);
  }
  return names;
}

export interface BackupEnd {
  readonly backupLabel: string;
  /** Empty if the cluster has no tablespaces. */
  readonly tablespaceMap: string;
  readonly walSegments: readonly string[];
}

export interface BackupSession {
  readonly serverVersion: string;
  readonly startedAt: Date;
  /** Ends the backup. The returned log segments stay in place until `close`. */
  stop(): Promise<BackupEnd>;
  close(): Promise<void>;
}

export async function beginBackup(connection: EmbeddedConnection): Promise<BackupSession> {
  const client = await connectMaintenance({ ...connection, user: backupRole }, 'sliproad-backup');
  try {
    const slot = `sliproad_backup_${randomBytes(6).toString('hex')}`;
    // The slot is created before the backup starts, so that a checkpoint in between cannot remove the first segment.
    await client.query('select pg_create_physical_replication_slot($1, true, true)', [slot]);
    const { rows } = await client.query(
      `select pg_backup_start('sliproad', true)::text as start_lsn, now() as started_at,
              current_setting('server_version') as server_version`,
    );
    const { start_lsn: startLsn, started_at: startedAt, server_version: serverVersion } = rows[0];
    return {
      serverVersion,
      startedAt,
      stop: async () => {
        const stopped = await client.query(
          `select stop.lsn::text as stop_lsn, stop.labelfile, stop.spcmapfile,
                  (select timeline_id from pg_control_checkpoint()) as timeline,
                  (select setting::int from pg_settings where name = 'wal_segment_size') as segment_bytes
             from pg_backup_stop(false) as stop`,
        );
        const { stop_lsn: stopLsn, labelfile, spcmapfile, timeline, segment_bytes: bytes } = stopped.rows[0];
        return {
          backupLabel: labelfile,
          tablespaceMap: spcmapfile.trim(),
          walSegments: segmentNames(timeline, startLsn, stopLsn, bytes),
        };
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
