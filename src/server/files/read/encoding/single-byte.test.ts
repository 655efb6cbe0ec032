import { describe, expect, it } from 'vitest'

import { createRandom } from '../../../testing/fixtures/file-fixtures'
import { createProblemLog } from '../problems'
import { CHARSETS, decodeText, listCharacters } from './charsets'
import { createDecoder } from './decode'

const CHARSETS_OF_ONE_BYTE = CHARSETS.filter(({ isMultiByte }) => !isMultiByte)
const ASCII = Array.from({ length: 128 }, (_, byte) => String.fromCharCode(byte))

/** The lines of the characters that cannot be read, as the text tells them. */
function undefinedLines(text: string): number[] {
  const lines = text.split(/\r\n|\r|\n/)
  return lines.flatMap((line, index) =>
    Array<number>(line.split('\uFFFD').length - 1).fill(index + 1),
  )
}

describe('a charset with one byte for each character', () => {
  it.each(CHARSETS_OF_ONE_BYTE)('has the characters of ASCII: $name', ({ name }) => {
    const characters = listCharacters(name) ?? []
    expect(characters).toHaveLength(256)
    expect(characters.slice(0, 128)).toEqual(ASCII)
    const sizes = characters.slice(128).map((character) => Buffer.from(character).length)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(2)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3)
  })

  it.each(CHARSETS_OF_ONE_BYTE)(
    'is decoded as by its library, in any chunks: $name',
    ({ name }) => {
      const random = createRandom(name.length)
      for (let round = 0; round < 40; round++) {
        const bytes = Buffer.from(
          Array.from({ length: random.below(300) }, () =>
            random.below(4) === 0 ? random.below(256) : random.pick([0x0a, 0x0d, 0x41, 0x3b]),
          ),
        )
        const problems = createProblemLog()
        const decoder = createDecoder({ name, bomLength: 0, hasStrayBytes: false }, problems)
        let text = ''
        for (let at = 0; at < bytes.length;) {
          const size = 1 + random.below(60)
          text += decoder.decode(bytes.subarray(at, at + size)).toString()
          at += size
        }
        text += decoder.end().toString()
        expect(text).toBe(decodeText(name, bytes))
        const lines = undefinedLines(text)
        const [problem] = problems.list()
        expect([problem?.line, problem?.count]).toEqual([lines[0], lines[0] && lines.length])
      }
    },
  )
})
