// A sentence with commands in backticks, as the service writes it.

export function WithCommands({ text }: { readonly text: string }) {
  return text.split('`').map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code key={part} className="mono">
        {part}
      </code>
    ),
  );
}
