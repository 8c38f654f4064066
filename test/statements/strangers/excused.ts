// Places where the truth of the strangers' files is wrong or too strict, each with the reason. Keep them few.

/** By file and day: rows that may be missing without a problem of their own. */
export const EXCUSED_ROWS: ReadonlyMap<string, string> = new Map([]);

/** By fact and narration. */
export const EXCUSED_NARRATIONS: ReadonlyMap<string, string> = new Map([]);
