// Writes the Travel-Rule records. Every ten seconds it writes records for the transfers that finished since its last turn.
import {
  type RecordTravelRuleLegsDeps,
  recordTravelRuleLegs,
} from '../app/travel-rule/record-travel-rule-legs.ts';
import { type Loop, startLoop } from './loop.ts';

const EVERY_MS = 10_000;

export function startTravelRuleRecording(
  deps: RecordTravelRuleLegsDeps,
  onError: (error: Error) => void,
  everyMs = EVERY_MS,
): Loop {
  return startLoop({ everyMs, turn: async () => void (await recordTravelRuleLegs(deps)), onError });
}
