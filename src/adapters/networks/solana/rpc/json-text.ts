// Values of the chain as text: they hold numbers that JSON cannot write by itself.

/** JSON of what may hold big numbers. */
export function textOf(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
  return text ?? 'null';
}
