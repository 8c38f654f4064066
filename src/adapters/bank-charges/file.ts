// The table of bank charges, from the file beside this one or from that of BANK_CHARGES_FILE. It is read whole and strictly: a
// mistake stops the start and names the file and the field.
import { readFileSync } from 'node:fs';
import type { BankCharges, ChargeRule } from '../../domain/catalogue/bank-charges.ts';
import { parseInstant } from '../../domain/values/calendar.ts';
import { MAX_WIRE_MINOR, parseAmount } from '../../domain/values/money.ts';
import { type Fields, fieldsOf, NetworkSettingsError, refuseUnknown } from '../networks/settings/fields.ts';
import { parseJson } from '../networks/settings/json.ts';

/** The message is for the operator. */
export class BankChargesError extends Error {
  override readonly name = 'BankChargesError';
}

const OWN = new URL('./bank-charges.json', import.meta.url);
const RULE_FIELDS = ['from', 'transfer_fee', 'vat_bps', 'stamp_duty'] as const;
const DUTY_FIELDS = ['from_amount', 'duty', 'paid_by'] as const;
const BAND_FIELDS = ['up_to', 'fee'] as const;
const MAX_VAT_BPS = 10_000;

/** `location` null: the table of this release. Throws a BankChargesError. */
export function readBankCharges(location: string | null): BankCharges {
  try {
    return parseBankCharges(readFileSync(location ?? OWN, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = error instanceof NetworkSettingsError ? message : `it cannot be read (${code ?? message}).`;
    throw new BankChargesError(`The file of bank charges ${location ?? OWN.pathname}: ${what}`, {
      cause: error,
    });
  }
}

/** Throws a NetworkSettingsError that names the rule and the field. */
export function parseBankCharges(content: string): BankCharges {
  const file = fieldsOf<'rules'>(parseJson(content), 'The whole file');
  refuseUnknown(file, ['rules'], 'The whole file');
  const rows = file.value('rules');
  if (!Array.isArray(rows) || rows.length === 0) throw file.problem('rules', 'must be a list of rules');
  const rules = rows.map((row, index) => readRule(row, `Rule ${index + 1}`));
  for (const [index, { fromDay }] of rules.entries())
    if (index > 0 && fromDay <= rules[index - 1]!.fromDay)
      throw file.problem(
        'rules',
        `must be in the order of "from": rule ${index + 1} is not after the one before it`,
      );
  return rules;
}

function readRule(row: unknown, where: string): ChargeRule {
  const fields = fieldsOf<(typeof RULE_FIELDS)[number]>(row, where);
  refuseUnknown(fields, RULE_FIELDS, where);
  const fromDay = fields.value('from');
  if (
    typeof fromDay !== 'string' ||
    !/^\d{4}-\d\d-\d\d$/.test(fromDay) ||
    parseInstant(fromDay) === undefined
  )
    throw fields.problem('from', 'must be a day such as 2026-01-01');
  const vatBps = fields.value('vat_bps');
  if (typeof vatBps !== 'number' || !Number.isInteger(vatBps) || vatBps < 0 || vatBps > MAX_VAT_BPS)
    throw fields.problem('vat_bps', 'must be a whole number of basis points, such as 750 for 7.5 %');
  const duty = fields.inside('stamp_duty', DUTY_FIELDS);
  const paidBy = duty.value('paid_by');
  if (paidBy !== 'sender' && paidBy !== 'receiver')
    throw duty.problem('paid_by', 'must be sender or receiver');
  const stampDuty = {
    fromMinor: naira(duty, 'from_amount'),
    dutyMinor: naira(duty, 'duty'),
    paidBy,
  } as const;
  return { fromDay, bands: readBands(fields, where), vatBps, stampDuty };
}

function readBands(fields: Fields<'transfer_fee'>, where: string): ChargeRule['bands'] {
  const rows = fields.value('transfer_fee');
  const isList = Array.isArray(rows) && rows.length > 0;
  if (!isList) throw fields.problem('transfer_fee', 'must be a list of bands');
  const bands = rows.map((row, index) => {
    const at = `${where}, band ${index + 1}`;
    const band = fieldsOf<(typeof BAND_FIELDS)[number]>(row, at);
    refuseUnknown(band, BAND_FIELDS, at);
    const isLast = index === rows.length - 1;
    if ((band.value('up_to') === null) !== isLast)
      throw band.problem('up_to', 'must be null in the last band and nowhere else');
    return { upToMinor: isLast ? null : naira(band, 'up_to'), feeMinor: naira(band, 'fee') };
  });
  for (const [index, { upToMinor }] of bands.entries())
    if (index > 0 && upToMinor !== null && upToMinor <= bands[index - 1]!.upToMinor!)
      throw fields.problem('transfer_fee', `must rise: band ${index + 1} is not above the one before it`);
  return bands;
}

function naira<Name extends string>(fields: Fields<Name>, name: Name): bigint {
  const value = fields.value(name);
  const parsed = parseAmount(typeof value === 'string' ? value : '', {
    minMinor: 0n,
    maxMinor: MAX_WIRE_MINOR,
  });
  if (!parsed.ok) throw fields.problem(name, 'must be naira as text, such as "25" or "26.88"');
  return parsed.value;
}
