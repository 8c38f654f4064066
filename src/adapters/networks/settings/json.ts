// The networks file as JSON. A repeated field is refused, because JSON.parse would keep the last one without a sign; and no
// message holds a piece of the text, as the messages of JSON.parse do.
import { findRepeatedName } from '../../repeated-names.ts';
import { NetworkSettingsError } from './fields.ts';

export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const at = /\(line \d+ column \d+\)/.exec((error as Error).message)?.[0];
    throw new NetworkSettingsError(`The file is not valid JSON${at === undefined ? '' : ` ${at}`}.`);
  }
  refuseRepeats(text);
  return value;
}

function refuseRepeats(text: string): void {
  const at = findRepeatedName(text);
  if (at === undefined) return;
  const line = text.slice(0, at).split('\n').length;
  throw new NetworkSettingsError(`The field on line ${line} is a repetition. Remove one of the two.`);
}
