// Numbers with their word, in the singular for one.

/** "1 row", "2 rows". With a verb: "1 row is", "2 rows are". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
