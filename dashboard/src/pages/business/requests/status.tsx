// The HTTP status of an answer, in the colour of what it means.
import { State } from '../../../parts/state.tsx';
import type { Tone } from '../../../parts/tone.ts';

function toneOf(status: number): Tone {
  if (status < 400) return 'completed';
  return status < 500 ? 'person' : 'failed';
}

export function StatusState({ status }: { readonly status: number }) {
  return <State state={String(status)} tone={toneOf(status)} label={String(status)} />;
}
