// What is said about a change of the settings of a business.
import type { SetFeeAnswer } from '../../../api/console-types.ts';

export function saidOf({ done }: SetFeeAnswer): string {
  return done ? 'Done' : 'Proposed: another person approves it';
}
