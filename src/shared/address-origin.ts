/**
 * The scheme and host of an address, to which its credentials belong: `https://example.com`, `s3://bucket`. URLs of
 * schemes that browsers do not know have no origin of their own.
 */
export function addressOrigin(address: string): string {
  const { origin, protocol, host } = new URL(address)
  return origin === 'null' ? `${protocol}//${host}` : origin
}
