// Whether an object in a JSON text has a name twice. JSON.parse keeps the last one without a sign.

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Where the second one begins; undefined: no name is repeated. Gets valid JSON only, so every text before a colon is a name. */
export function findRepeatedName(text: string): number | undefined {
  const open: Set<string>[] = [];
  let last = { text: '', at: 0 };
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const names = open.at(-1)!;
      const name: string = JSON.parse(last.text);
      if (names.has(name)) return last.at;
      names.add(name);
    }
    last = { text: token, at: index };
  }
  return undefined;
}
