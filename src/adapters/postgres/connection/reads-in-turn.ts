// A value that is read again and again, one read at a time. Whoever asks gets a read that began after they asked, so that it shows
// everything committed by then; those who ask during a read share the next one.

export function readsInTurn<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let reading: Promise<Value> | undefined;
  let next: Promise<Value> | undefined;
  const begin = (): Promise<Value> => {
    reading = read().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  return () => {
    if (reading === undefined) return begin();
    next ??= reading
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
