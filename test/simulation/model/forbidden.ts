// What the database forbids where the port has no word for it: the adapter rejects with the driver's error, which names
// the rule.

export function forbidden(constraint: string): Error {
  return Object.assign(new Error(`the database refuses it: ${constraint}`), { constraint });
}
