// A value after storage as JSON: undefined fields are removed. A value without any is kept unchanged.

export function plain<Value>(value: Value): Value {
  return hasUndefined(value) ? (JSON.parse(JSON.stringify(value)) as Value) : value;
}

function hasUndefined(value: unknown): boolean {
  if (value === undefined) return true;
  if (value === null || typeof value !== 'object') return false;
  for (const field of Object.values(value)) if (hasUndefined(field)) return true;
  return false;
}

/** What the database forbids and the port has no term for: the adapter rejects with the driver's error, which names the rule. */
export function forbidden(constraint: string): Error {
  return Object.assign(new Error(`the database refuses it: ${constraint}`), { constraint });
}
