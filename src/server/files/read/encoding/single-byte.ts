/** UTF-8 takes at most so many bytes for a character of a charset with one byte each. */
const MAX_BYTES = 3
const WORD = 4

/**
 * Creates a function that converts text in a charset with one byte for each character to UTF-8, without
 * making strings of it. The result is valid until the next call.
 * @param characters what each of the 256 bytes stands for; the first 128 are those of ASCII
 */
export function createSingleByteConverter(
  characters: readonly string[],
): (bytes: Uint8Array) => Buffer {
  const codes = characters.map((character) => Buffer.from(character))
  let output = Buffer.alloc(0)
  let outputView = new DataView(output.buffer)
  return (bytes) => {
    if (output.length < MAX_BYTES * bytes.length) {
      output = Buffer.allocUnsafeSlow(MAX_BYTES * bytes.length)
      outputView = new DataView(output.buffer)
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    let length = 0
    for (let at = 0; at < bytes.length;) {
      if (at + WORD <= bytes.length && isAsciiWord(view, at)) {
        outputView.setInt32(length, view.getInt32(at))
        at += WORD
        length += WORD
        continue
      }
      const code = codes[bytes[at++] as number] as Buffer
      for (let index = 0; index < code.length; index++) output[length++] = code[index] as number
    }
    return output.subarray(0, length)
  }
}

/** Whether four bytes are ASCII. */
export const isAsciiWord = (view: DataView, at: number): boolean =>
  (view.getInt32(at) & 0x80808080) === 0
