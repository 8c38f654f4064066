// The person's own second factors and sessions.
import { useRead } from '../../../api/query.ts';

export interface Passkey {
  readonly credential_id: string;
  readonly name: string;
  readonly created_at: string;
  readonly used_at: string | null;
}

export interface SecondFactors {
  readonly totp: boolean;
  readonly passkeys: readonly Passkey[];
  readonly recovery_codes_left: number;
}

export const FACTORS = '/second-factors';
export const SESSIONS = '/sessions';

export function useSecondFactors() {
  return useRead<SecondFactors>(FACTORS);
}

export interface OpenSession {
  readonly session_id: string;
  readonly current: boolean;
  /** browser or cli. */
  readonly surface: string;
  readonly address: string;
  readonly user_agent: string;
  readonly created_at: string;
  readonly seen_at: string;
  readonly expires_at: string;
}

export function useSessions() {
  return useRead<{ readonly sessions: readonly OpenSession[] }>(SESSIONS);
}
