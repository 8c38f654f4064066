// Writes responses as JSON text. Integers of any size are written as JSON integers, never as rounded doubles.

interface RawJson {
  rawJSON(text: string): unknown;
}
const { rawJSON } = JSON as unknown as RawJson;

export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'bigint' ? rawJSON(inner.toString()) : inner,
  );
}

export function floatJson(text: string): unknown {
  return rawJSON(text.includes('.') ? text : `${text}.0`);
}
