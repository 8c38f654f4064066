// A provider named another chain than the one in the settings. Nothing that it says counts until it names the right one: its
// answers may be true, and are about other money.

export class AnotherChain extends Error {
  override readonly name = 'AnotherChain';

  constructor(named: string | number, expected: string | number) {
    super(`it is on the chain ${named}, the settings say ${expected}`);
  }
}
