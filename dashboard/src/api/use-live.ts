// Receives server-sent events, so that pages show changes of the service immediately. The browser reconnects automatically and
// continues after its last event. After a reconnect the page reads its data again, because events may be missing.
import { useEffect, useEffectEvent, useState } from 'react';
import { ROOT } from './client.ts';

export interface LiveEvent {
  readonly data: unknown;
}

/**
 * `path` is relative to /console/v1, and null means that the page does not connect yet. `types` lists the names of the events.
 * Returns whether the stream is connected.
 */
export function useLive(
  path: string | null,
  types: readonly string[],
  onEvent: (event: LiveEvent | null) => void,
): boolean {
  const [connected, setConnected] = useState(false);
  // Null means that the stream was reconnected, so any data may have changed.
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
