// The error codes of the embedded PostgreSQL. Every message says what was found and what the operator can do about it.

export type EmbeddedErrorCode =
  | 'binaries_missing'
  | 'binaries_broken'
  | 'os_user_missing'
  | 'path_not_reachable'
  | 'data_dir_unusable'
  | 'socket_dir_not_ours'
  | 'major_differs'
  | 'cluster_in_doubt'
  | 'access_refused'
  | 'initdb_failed'
  | 'start_failed'
  | 'start_timeout'
  | 'stop_timeout'
  | 'cluster_missing'
  | 'cluster_exists'
  | 'target_not_empty'
  | 'backup_failed'
  | 'manifest_missing'
  | 'manifest_invalid'
  | 'file_damaged';

export class EmbeddedError extends Error {
  override readonly name = 'EmbeddedError';
  readonly code: EmbeddedErrorCode;

  constructor(code: EmbeddedErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

export function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
