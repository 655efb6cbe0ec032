/** Text without NUL characters, with which some programs pad files or cells. */
export function withoutNuls(bytes: Buffer): Buffer {
  if (!bytes.includes(0)) return bytes
  const kept = Buffer.allocUnsafeSlow(bytes.length)
  let length = 0
  for (const byte of bytes) if (byte !== 0) kept[length++] = byte
  return kept.subarray(0, length)
}
