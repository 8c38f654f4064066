// Closes everything that was opened, in the reverse order. Every step runs, even if an earlier step failed: a loop that cannot
// be stopped must not leave the embedded database running.
type CloseStep = () => unknown;

export interface CloseStack {
  /** Adds a step that runs before all steps that were added earlier. */
  add(step: CloseStep): void;
  /** Runs all steps. Then it throws the first failure, if a step failed. */
  close(): Promise<void>;
}

/** Opens something in steps. If one step fails, this closes again what the earlier steps opened. */
export async function openInSteps<T>(open: (closing: CloseStack) => Promise<T>): Promise<T> {
  const closing = makeCloseStack();
  try {
    return await open(closing);
  } catch (error) {
    await closing.close().catch(() => undefined); // the first failure is the one to report
    throw error;
  }
}

export function makeCloseStack(): CloseStack {
  const steps: CloseStep[] = [];
  return {
    add: (step) => {
      steps.push(step);
    },
    close: async () => {
      const failures: unknown[] = [];
      for (const step of steps.toReversed()) failures.push(...(await runAndCollectFailures([step])));
      if (failures.length > 0) throw failures[0];
    },
  };
}

export async function closeTogether(steps: readonly CloseStep[]): Promise<void> {
  const failures = await runAndCollectFailures(steps);
  if (failures.length > 0) throw failures[0];
}

async function runAndCollectFailures(steps: readonly CloseStep[]): Promise<unknown[]> {
  const results = await Promise.allSettled(steps.map(async (step) => step()));
  return results.filter((each) => each.status === 'rejected').map(({ reason }) => reason);
}
