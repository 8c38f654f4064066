// Times as banks write them. One without a zone is a time of Lagos, which has had one offset for all years that matter.

const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(Z|[+-]\d{2}:?\d{2})?$/;
/** 2/13/2021 4:11:09 PM at one bank, 13/02/2021 4:11:09 PM at another. */
const SLASHES = /^(\d{1,2})\/(\d{1,2})\/(\d{4}) (\d{1,2}):(\d{2}):(\d{2}) (AM|PM)$/i;

/** Milliseconds; null: it is no time, or in another form. `first`: what stands before the first slash. */
export function timeOfText(text: string | null, first: 'day' | 'month'): number | null {
  const iso = ISO.exec(text ?? '');
  if (iso !== null) {
    const [, day, time, zone = '+01:00'] = iso;
    return validOf(Date.parse(`${day}T${time}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`));
  }
  const slashes = SLASHES.exec(text ?? '');
  if (slashes === null) return null;
  const [, one, other, year, hour, minute, second, half] = slashes;
  const [month, day] = first === 'month' ? [one, other] : [other, one];
  const hours = (Number(hour) % 12) + (half!.toUpperCase() === 'PM' ? 12 : 0);
  const two = (part: string | number) => String(part).padStart(2, '0');
  return validOf(Date.parse(`${year}-${two(month!)}-${two(day!)}T${two(hours)}:${minute}:${second}+01:00`));
}

function validOf(ms: number): number | null {
  return Number.isNaN(ms) ? null : ms;
}
