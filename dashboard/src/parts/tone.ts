// What a colour means: grey waits, blue is under way, green is done, amber needs a person, red failed or stands still.

export type Tone = 'waiting' | 'progress' | 'completed' | 'person' | 'failed';
