import { describe, expect, it } from 'vitest'

import { createRandom } from '../../../testing/fixtures/file-fixtures'
import { type JsonHandler, createJsonParser } from './json-parser'

/** What is told of a text that comes in pieces of this size; or why it is refused, and where. */
function parse(text: string, { pieces = text.length, documents = 1 } = {}): string {
  const told: string[] = []
  const tell = (kind: string) => (value?: string) =>
    void told.push(value ? `${kind}${value}` : kind)
  const handler: JsonHandler = {
    openObject: tell('{'),
    closeObject: tell('}'),
    openArray: tell('['),
    closeArray: tell(']'),
    key: tell('key '),
    string: tell('text '),
    scalar: tell(''),
  }
  const refused = (why: string) => new Error(why) as never
  const errors = { damaged: refused, truncated: () => refused('cut off') }
  const parser = createJsonParser(handler, errors, documents)
  try {
    for (let at = 0; at < text.length; at += pieces) parser.write(text.slice(at, at + pieces))
    parser.end()
  } catch (error) {
    const { line, character } = parser.place()
    return `${(error as Error).message} (${line}, ${character})`
  }
  return told.join(' ')
}

describe('JSON', () => {
  it('is told token by token, and numbers as they are written', () => {
    expect(parse('{"a":[1.50,-0,1e400,true,null],"b":"x"}')).toBe(
      '{ key a [ 1.50 -0 1e400 true null ] key b text x }',
    )
    expect(parse('\uFEFF [ ]\r\n')).toBe('[ ]')
  })

  it('may break off anywhere between pieces', () => {
    const text = '{"sku\\u0041":"a\\"b\\\\","n":[-12.5e+3,false,{}],"":""}'
    for (let pieces = 1; pieces < text.length; pieces++) {
      expect(parse(text, { pieces })).toBe(parse(text))
    }
  })

  it('has texts with escapes', () => {
    expect(parse('["\\u00e9\\n\\/\\ud83d\\ude00"]')).toBe('[ text é\n/😀 ]')
  })

  it('may be several objects or lists, or other values on lines of their own', () => {
    expect(parse('{}\n{}{}\n', { documents: 9 })).toBe('{ } { } { }')
    expect(parse('1\n{}', { documents: 9 })).toBe('1 { }')
    expect(parse('{} 1', { documents: 9 })).toMatch(/not on lines of their own/)
  })

  it.each([
    ['{"a":1,}', 'a value is missing after a comma or colon (1, 8)'],
    ['[1,]', 'a value is missing after a comma or colon (1, 4)'],
    ['{"a":}', 'a value is missing after a comma or colon (1, 6)'],
    ['[1] x', 'it has more after its end (1, 5)'],
    ['[1]\n[2]', 'it has more after its end (2, 5)'],
    ['{"a"\n1}', 'it is not valid JSON (2, 6)'],
    ['[01]', 'it is not valid JSON'],
    ['[.5]', 'it is not valid JSON'],
    ['[NaN]', 'it is not valid JSON'],
    ["['a']", 'it is not valid JSON'],
    ['[1}', 'it is not valid JSON'],
    ['["a" "b"]', 'it is not valid JSON'],
    ['["a\nb"]', 'a text has a line break or another control character'],
    ['["\\x"]', 'a text has a backslash with nothing that may follow it'],
    ['[1,2', 'cut off'],
    ['{"a":"b', 'cut off'],
    ['[tru', 'it is not valid JSON'],
    ['', 'it is empty'],
  ])('is refused if it is %j', (text, why) => {
    expect(parse(text).slice(0, why.length)).toBe(why)
  })

  it('has bounds', () => {
    expect(parse('['.repeat(300))).toMatch(/^it is nested too deeply/)
    expect(parse(`["${'x'.repeat(1_100_000)}`)).toMatch(/^one of its texts is too long/)
  })

  it('is read as JSON.parse does', () => {
    const random = createRandom(7)
    for (let round = 0; round < 2_000; round++) {
      const text = Array.from({ length: 1 + random.below(12) }, () =>
        random.pick(['{', '}', '[', ']', '"a"', ':', ',', '1', '-2.5', 'true', ' ', '\n', '"']),
      ).join('')
      const isValid = isJson(text)
      const isRead = !/\(\d+, \d+\)$/.test(parse(text, { pieces: 1 + random.below(4) }))
      expect([text, isRead]).toEqual([text, isValid])
    }
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
