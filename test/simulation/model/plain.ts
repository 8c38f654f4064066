// A value as it is after storage as JSON: undefined fields are removed. A value without undefined fields is returned unchanged.

export function plain<Value>(value: Value): Value {
  return hasUndefined(value) ? (JSON.parse(JSON.stringify(value)) as Value) : value;
}

function hasUndefined(value: unknown): boolean {
  if (value === undefined) return true;
  if (value === null || typeof value !== 'object') return false;
  for (const field of Object.values(value)) if (hasUndefined(field)) return true;
  return false;
}

/**
 * For violations that the database forbids and the port does not define: the adapter rejects with the driver's error, which names
 * the rule.
 */
export function forbidden(constraint: string): Error {
  return Object.assign(new Error(`the database refuses it: ${constraint}`), { constraint });
}
