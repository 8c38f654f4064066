// Declares types for a package that has no type declarations.
declare module 'textlint-rule-terminology' {
  const rule: unknown;
  export default rule;
}
