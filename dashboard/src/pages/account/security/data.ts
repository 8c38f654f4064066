// The person's own second factors and sessions.
import { useRead } from '../../../api/reads.ts';

export const FACTORS = '/second-factors';
export const SESSIONS = '/sessions';

export const useSecondFactors = () => useRead(FACTORS);
export const useSessions = () => useRead(SESSIONS);
