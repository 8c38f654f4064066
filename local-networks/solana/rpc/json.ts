// Writes answers as JSON text. Whole amounts of any size are JSON integers, never rounded doubles.

interface RawJson {
  rawJSON(text: string): unknown;
}
const { rawJSON } = JSON as unknown as RawJson;

export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? rawJSON(inner.toString()) : inner,
  );
}

/** A number that is always written with a point, as a node writes its floating-point fields. */
export function floatJson(text: string): unknown {
  return rawJSON(text.includes('.') ? text : `${text}.0`);
}
