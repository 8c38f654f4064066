// Whether a provider takes several questions in one JSON-RPC batch. One that refused a batch is asked one by one for a while.
/** It may only have had a bad moment. */
const UNTIL_NEXT_BATCH = 1_000;

interface BatchSupport {
  /** Whether it is worth trying one now. */
  areTaken(): boolean;
  /** The questions were answered one by one. */
  wereApart(): void;
}

export function makeBatchSupport(): BatchSupport {
  /** For so many times more it is not asked in batches. */
  let oneByOne = 0;
  return {
    areTaken: () => oneByOne === 0,
    wereApart: () => {
      oneByOne = oneByOne > 0 ? oneByOne - 1 : UNTIL_NEXT_BATCH;
    },
  };
}

/** Of these HTTP codes some mean that batches are not taken; a wrong key and too many requests do not. */
export function isBatchRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && ![401, 402, 403, 429].includes(status);
}
