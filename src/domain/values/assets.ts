// Assets, by name. The same coin on two networks is two assets, each with its own decimals; naira has two.

export const NAIRA = 'NGN';

export function tokenAsset(code: string, network: string): string {
  return `${code}@${network}`;
}
