// The three time formats in the responses of the bank. All are in Lagos time and without a time zone.
import { lagosTime } from '../books/identifiers.ts';

/** 2023-04-26 09:09:41 */
export function providusTime(at: number): string {
  return lagosTime(at).toISOString().slice(0, 19).replace('T', ' ');
}

export function americanTime(at: number): string {
  const time = lagosTime(at);
  const [hours, minutes, seconds] = [time.getUTCHours(), time.getUTCMinutes(), time.getUTCSeconds()];
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${time.getUTCMonth() + 1}/${time.getUTCDate()}/${time.getUTCFullYear()}`;
  return `${day} ${hours % 12 || 12}:${two(minutes)}:${two(seconds)} ${hours < 12 ? 'AM' : 'PM'}`;
}
