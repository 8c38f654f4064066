// Places where the truth of the strangers' files is wrong or too strict, each with the reason. Keep them few.

/** By file: files that the truth refuses whole. */
export const EXCUSED_FILES: ReadonlyMap<string, string> = new Map([
  [
    'hostile-06-ambiguous-dates.csv',
    'Every shipped profile but one states that the day comes first, as the truth says of Nigerian banks; an operator whose bank prints the month first uses a profile that says so.',
  ],
]);

/** By file and day: rows that may be missing without a problem of their own. */
export const EXCUSED_ROWS: ReadonlyMap<string, string> = new Map();

/** By fact and narration. */
export const EXCUSED_NARRATIONS: ReadonlyMap<string, string> = new Map([
  [
    'session_id TRANSFER BETWEEN CUSTOMERS 000015260114115592500620100311|Apr. Diesel|1422108259||MUSA SABO IDRIS REF:000015260114115592500620100311',
    'The 30 digits are no session id: their time has 92 seconds.',
  ],
]);
