// When a treasury that holds less than it should is short for good, and not only behind.

/**
 * Sends wait as soon as a balance is short. They are halted for good when it stays so for longer than any provider should
 * be behind, and was read so often at least.
 */
export const SHORT_FOR_MS = 5 * 60_000;
export const SHORT_READINGS = 3;
