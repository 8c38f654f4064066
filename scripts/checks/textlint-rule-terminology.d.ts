// The package has no types of its own.
declare module 'textlint-rule-terminology' {
  const rule: unknown;
  export default rule;
}
