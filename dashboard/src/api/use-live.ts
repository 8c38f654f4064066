// Server-sent events: what changes on the service shows at once. The browser connects again by itself and resumes after the
// last event it saw; what may have been missed in between is read again.
import { useEffect, useEffectEvent, useState } from 'react';
import { ROOT } from './client.ts';

export interface LiveEvent {
  readonly data: unknown;
}

/** `path`: below /console/v1; null: not yet. `types`: the names of the events that matter. Answers whether it is connected. */
export function useLive(
  path: string | null,
  types: readonly string[],
  onEvent: (event: LiveEvent | null) => void,
): boolean {
  const [connected, setConnected] = useState(false);
  // Null: connected again, anything may have changed.
  const receive = useEffectEvent(onEvent);
  const names = types.join(' ');
  useEffect(() => {
    if (path === null) return;
    const source = new EventSource(ROOT + path);
    let opened = false;
    source.onopen = () => {
      setConnected(true);
      if (opened) receive(null);
      opened = true;
    };
    source.onerror = () => setConnected(false);
    const listener = (event: MessageEvent<string>) => receive({ data: parseJson(event.data) });
    for (const name of ['message', ...names.split(' ').filter(Boolean)])
      source.addEventListener(name, listener);
    return () => source.close();
  }, [path, names]);
  return connected;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
