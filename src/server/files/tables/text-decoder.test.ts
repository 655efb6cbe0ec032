import { describe, expect, it } from 'vitest'

import { FileError } from '../file-error'
import { createTextDecoder } from './text-decoder'

const damaged = (why: string) => new FileError('document-damaged', why)

/** The text of pieces in the encoding that a document declares, and what was told. */
function decode(encoding: string, pieces: readonly Buffer[]) {
  const notes: string[] = []
  const toText = createTextDecoder(
    () => encoding,
    damaged,
    (note) => notes.push(note),
  )
  return { text: pieces.map(toText).join(''), notes: new Set(notes) }
}

describe('a document that declares an encoding', () => {
  it.each(['iso-8859-1', 'windows-1250', 'us-ascii', 'gbk'])(
    'is read as UTF-8 if that is what it is in, and this is told: %s',
    (encoding) => {
      const bytes = Buffer.from('<a>Größe, žluťoučký kůň</a>')
      const first = Buffer.from('<r>')
      expect(decode(encoding, [first, bytes])).toEqual({
        text: '<r><a>Größe, žluťoučký kůň</a>',
        notes: new Set([
          `The file says that its encoding is ${encoding}, but it is in UTF-8, and was read so.`,
        ]),
      })
    },
  )

  it('is UTF-8 if a piece ends within its first character that is none of ASCII', () => {
    const bytes = Buffer.from('größer')
    const { text } = decode('iso-8859-1', [bytes.subarray(0, 5), bytes.subarray(5)])
    expect(text).toBe('größer')
    expect(decode('iso-8859-1', [Buffer.from('caf\u00e9', 'latin1')]).text).toBe('café')
  })

  it('is read in its encoding otherwise', () => {
    expect(decode('iso-8859-2', [Buffer.from([0x6b, 0xf9, 0xf2])])).toEqual({
      text: 'kůň',
      notes: new Set(),
    })
    expect(decode('gbk', [Buffer.from([0xb5, 0xc6])])).toEqual({ text: '灯', notes: new Set() })
  })

  it('is refused if it has letters of another one where its own has control characters', () => {
    expect(() => decode('iso-8859-2', [Buffer.from([0x9e, 0x6c])])).toThrow(
      'it is not in the encoding iso-8859-2, which it declares',
    )
  })

  it('is told of characters that are not the same in all forms of it', () => {
    expect([...decode('big5', [Buffer.from([0xc6, 0xe7])]).notes]).toEqual([
      'The file has characters that are not the same in all forms of big5: use UTF-8.',
    ])
  })
})
