// A refusal found inside a transaction. What the transaction did is rolled back and nothing is logged; the caller gets the
// code of the refusal as an answer.

class Refused extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export async function orRefused<T, Code extends string>(
  work: (refuse: (code: Code) => never) => Promise<T>,
): Promise<T | Code> {
  try {
    return await work((code) => {
      throw new Refused(code);
    });
  } catch (error) {
    if (error instanceof Refused) return error.code as Code;
    throw error;
  }
}
