// What stands still.
import { useList, useRead } from '../../../api/reads.ts';

export const useMovements = () => useRead('/operator/movements');
export const useHalts = () => useRead('/operator/halts');
export const useFreezes = () => useRead('/operator/freezes');
export const useHistory = () => useList('/operator/stops/history', 'events');

/** What stands still changes rarely, so these reads follow hints. */
export const STOPS = [
  '/operator/movements',
  '/operator/stops/history',
  '/operator/halts',
  '/operator/freezes',
];
