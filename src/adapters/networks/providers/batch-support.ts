// Records whether a provider accepts several requests in one JSON-RPC batch. A provider that refused a batch gets single
// requests for a while.
/** The number of single requests before a batch is tried again, because the refusal may have been temporary. */
const UNTIL_NEXT_BATCH = 1_000;

interface BatchSupport {
  areTaken(): boolean;
  /** The caller must call this after the provider responded to the requests one by one. */
  wereApart(): void;
}

export function makeBatchSupport(): BatchSupport {
  let oneByOne = 0;
  return {
    areTaken: () => oneByOne === 0,
    wereApart: () => {
      oneByOne = oneByOne > 0 ? oneByOne - 1 : UNTIL_NEXT_BATCH;
    },
  };
}

/**
 * A 4xx status may mean that the provider does not accept batches. The exceptions are the codes for a wrong key and for too many
 * requests.
 */
export function isBatchRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500 && ![401, 402, 403, 429].includes(status);
}
