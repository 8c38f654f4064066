// The three time formats of the bank's responses, all in Lagos time and without a zone.
import { lagosTime } from '../books/identifiers.ts';

/** 2023-04-26 09:09:41 */
export function providusTime(at: number): string {
  return lagosTime(at).toISOString().slice(0, 19).replace('T', ' ');
}

/** 2/13/2021 4:11:09 PM */
export function americanTime(at: number): string {
  const time = lagosTime(at);
  const [hours, minutes, seconds] = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()];
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${time.getUTCMonth() + 1}/${time.getUTCDate()}/${time.getUTCFullYear()}`;
  return `${day} ${hours % 12 || 12}:${two(minutes)}:${two(seconds)} ${hours < 12 ? 'AM' : 'PM'}`;
}
