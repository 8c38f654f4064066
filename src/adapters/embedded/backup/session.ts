// PostgreSQL's side of an online backup, on one session from start to stop. The rule: the log written meanwhile is
// kept by a temporary slot, which the server drops by itself when this session ends for whatever reason.
import { randomBytes } from 'node:crypto';
import type { EmbeddedConnection } from '../server/connection.ts';
import { connectMaintenance } from '../server/connection.ts';
import { backupRole } from '../server/settings.ts';
import { segmentNames } from './wal.ts';

export interface BackupEnd {
  readonly backupLabel: string;
  /** Empty unless there are tablespaces. */
  readonly tablespaceMap: string;
  readonly walSegments: readonly string[];
}

export interface BackupSession {
  readonly serverVersion: string;
  readonly startedAt: Date;
  /** Ends the backup; the segments it names stay in place until close. */
  stop(): Promise<BackupEnd>;
  close(): Promise<void>;
}

export async function beginBackup(connection: EmbeddedConnection): Promise<BackupSession> {
  const client = await connectMaintenance({ ...connection, user: backupRole }, 'sliproad-backup');
  try {
    const slot = `sliproad_backup_${randomBytes(6).toString('hex')}`;
    // Reserved before the backup starts, so that no checkpoint in between removes the first segment.
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
