// The package has no type declarations.
declare module 'textlint-rule-terminology' {
  const rule: unknown;
  export default rule;
}
