// Renders a record field by field: snake case, times in ISO 8601, amounts in naira.
import { minorToWire, NAIRA } from '../../domain/values/money.ts';
import { isoOrNull } from './values.ts';

/** Fields about storage and processing, which readers do not need. */
const INTERNAL_FIELDS = new Set(['version', 'dueAtMs', 'tries', 'payload']);

/**
 * Renders a record field by field, for operators: `amountMinor` becomes `amount` in naira, `…AtMs` becomes `…_at`. Token amounts
 * in minor units stay texts of digits, because the number of decimals depends on the network.
 */
export function renderRecord(record: object): Readonly<Record<string, unknown>> {
  return renderFields(record, true);
}

function renderValue(value: unknown, isNaira: boolean): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map((each) => renderValue(each, isNaira));
  return typeof value === 'object' && value !== null ? renderFields(value, isNaira) : value;
}

function renderFields(record: object, isNaira: boolean): Readonly<Record<string, unknown>> {
  const { asset } = record as { asset?: unknown };
  const inNaira = asset === undefined ? isNaira : asset === NAIRA;
  return Object.fromEntries(
    Object.entries(record)
      .filter(([name]) => !INTERNAL_FIELDS.has(name))
      .map(([name, each]) => renderField(name, each, inNaira)),
  );
}

function renderField(name: string, value: unknown, inNaira: boolean): [string, unknown] {
  if (name.endsWith('AtMs') || name === 'atMs')
    return [toSnakeCase(name.slice(0, -2)), isoOrNull(value as number | null)];
  // `nairaMinor` is in kobo, no matter which asset the record has.
  if (name.endsWith('Minor') && (inNaira || name === 'nairaMinor'))
    return [toSnakeCase(name.slice(0, -5)), toNaira(value)];
  return [toSnakeCase(name), renderValue(value, inNaira)];
}

function toNaira(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toNaira);
  return typeof value === 'bigint' ? minorToWire(value) : value;
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
