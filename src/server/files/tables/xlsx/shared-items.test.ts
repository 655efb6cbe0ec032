import { describe, expect, it } from 'vitest'

import { createRandom, type Random } from '../../../testing/fixtures/file-fixtures'
import { openMemoryScratch } from '../../../testing/fixtures/workbooks'
import { FileError } from '../../file-error'
import { damagedWorkbook } from '../workbook'
import { createPackedTexts } from './packed-texts'
import { findPlainItems } from './plain-items'
import { createSharedItems } from './shared-items'

const newTexts = () => createPackedTexts({ maxBytes: 1024 * 1024, openScratch: openMemoryScratch })

const FIRST_BYTES = 200

/** The texts of a part that arrives in pieces of random sizes, as cells of a CSV file, or why it is refused. */
function readItems(part: Buffer, random: Random): string[] | string {
  const texts = newTexts()
  const items = createSharedItems(texts, damagedWorkbook)
  try {
    for (let at = 0; at < part.length;) {
      const end = at === 0 ? FIRST_BYTES : at + 1 + random.below(60)
      items.write(part.subarray(at, end))
      at = end
    }
    items.end()
  } catch (error) {
    // Which of several faults is found first depends on the pieces.
    if (error instanceof FileError) return error.code
    throw error
  }
  return Array.from({ length: texts.count() }, (_, index) => {
    const { start, end } = texts.find(index)
    return texts.memory.toString('utf8', start, end)
  })
}

const PIECES = [
  '<si><t>Boot</t></si>',
  '<si><t>Boot</t></si><si><t xml:space="preserve"> red </t></si>',
  '<si><t></t></si>',
  '<si><t>Größe 5″, “wide”, ﬂat 鞋 👟</t></si>',
  '<si><t>two\nlines\tand "quotes"</t></si>',
  '<si><t>two\r\nlines</t></si>',
  '<si><t>a_x000D_b_x005F_ _y</t></si>',
  '<si><t>&lt;b&gt; &amp; &#x1F45F;</t></si>',
  '<si><t>a > b ]] c</t></si>',
  '<si><t><![CDATA[</t></si><si><t>no item</t></si>]]></t></si>',
  '<!-- </si><si><t>no item</t></si> -->',
  '<?x </si><si><t>no item</t></si> ?>',
  '<si><r><t>Boot </t></r><r><rPr><b/></rPr><t>red</t></r><rPh sb="0" eb="1"><t>ブーツ</t></rPh></si>',
  '<si><t>Boot</t><phoneticPr fontId="1"/></si>',
  '<si/>',
  '<si><t/></si>',
  '\n  <si>\n<t>Boot</t>\n</si>\n',
  '<si ><t >Boot</t ></si >',
  `<si a="/>"><t b='<si>'>Boot</t></si>`,
  '<si xml:space="preserve"><t>Boot</t></si>',
  '<si><t>a\u0085b\u2028c</t></si>',
  '<si><t>a<si><t>b</t></si><si><t>c</t></si></t>d</si>',
  '<extLst><ext><si><t>inner</t></si><si><t>other</t></si></ext></extLst>',
]
/** After these, nothing more is read. */
const DAMAGES = [
  '<si><t>a\u0001</t></si>',
  '<si><t>]]></t></si>',
  '<si><t>\uFFFF</t></si>',
  '<si><t>Boot</si></t>',
  '<si a="</si>"><t>Boot</t></si>',
  '<si><t>&a;</t></si>',
]

const HEADS = [
  '',
  '\uFEFF',
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
  '<?xml version="1.1"?>',
]
/** The beginning of a part comes in one piece. */
const ROOT = `<sst xmlns="${'x'.repeat(FIRST_BYTES)}">`

const withPrefix = (xml: string) => xml.replaceAll(/<(\/?)([a-zA-Z])/g, '<$1x:$2')

describe('shared texts', () => {
  it('are those that the parser finds, wherever plain ones stand among others', () => {
    const random = createRandom(1)
    for (let round = 0; round < 500; round++) {
      const pieces = Array.from({ length: random.below(12) }, () => random.pick(PIECES))
      if (random.below(4) === 0) pieces.push(random.pick(DAMAGES))
      const xml = `${ROOT}${pieces.join('')}</sst>`
      const toPart = random.pick([
        (head: string, root: string) => Buffer.from(head + root),
        (head: string, root: string) => Buffer.from(head + withPrefix(root)),
        (head: string, root: string) => Buffer.from(`\uFEFF${head}${root}`, 'utf16le'),
        (head: string, root: string) => Buffer.from(head + root, 'latin1'),
      ])
      const head = random.pick(HEADS)
      // With a comment at its beginning, all of a part is parsed.
      const expected = readItems(toPart(head, `<!-- -->${xml}`), random)
      expect(readItems(toPart(head, xml), random), pieces.join('')).toEqual(expected)
    }
  })

  it('are taken as they stand where they are plain, with a prefix too', () => {
    const items = '<x:si><x:t>Boot</x:t></x:si><x:si><x:t xml:space="preserve">red, </x:t></x:si>'
    const bytes = Buffer.from(`<?xml version="1.0"?><x:sst>${items}<x:si><x:r/></x:si>`)
    const texts = newTexts()
    const plain = findPlainItems(bytes)
    expect(plain?.add(bytes, bytes.indexOf('<x:si>'), texts)).toBe(bytes.indexOf('<x:si><x:r/>'))
    expect(texts.count()).toBe(2)
  })
})
