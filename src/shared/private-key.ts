const PEM = /^-----BEGIN (?:(?:OPENSSH|RSA|EC|ENCRYPTED) )?PRIVATE KEY-----\s/

/** What is wrong with a text that should be a private key of SSH, for who entered it; undefined if it may be one. */
export function describePrivateKeyProblem(text: string): string | undefined {
  if (PEM.test(text)) return undefined
  if (/^(?:ssh-|ecdsa-|sk-|---- BEGIN SSH2 PUBLIC|-----BEGIN (?:RSA )?PUBLIC)/.test(text)) {
    return 'This is the public key: enter the private one, from the file without .pub'
  }
  if (text.startsWith('PuTTY-User-Key-File')) {
    return 'This is a key of PuTTY: open it in PuTTYgen and choose Conversions, Export OpenSSH key'
  }
  return 'Enter the whole file of the private key, from -----BEGIN to the last line'
}
