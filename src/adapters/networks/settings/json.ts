// The networks file as JSON. A repeated field is refused, because JSON.parse would keep the last one without a sign; and no
// message holds a piece of the text, as the messages of JSON.parse do.
import { NetworkSettingsError } from './fields.ts';

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

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

/** Gets valid JSON only, so that every text before a colon is a name. */
function refuseRepeats(text: string): void {
  const open: Set<string>[] = [];
  let last = { text: '', at: 0 };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1)!;
      const name: string = JSON.parse(last.text);
      if (names.has(name)) {
        const line = text.slice(0, last.at).split('\n').length;
        throw new NetworkSettingsError(`The field on line ${line} is a repetition. Remove one of the two.`);
      }
      names.add(name);
    }
    last = { text: token, at: index };
  }
}
