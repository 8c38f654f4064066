// The part of recheck that needs no other program has no type declarations of its own: they are those of the package.
declare module 'recheck/lib/browser.js' {
  import type { checkSync } from 'recheck';

  const recheck: { readonly checkSync: typeof checkSync };
  export default recheck;
}
