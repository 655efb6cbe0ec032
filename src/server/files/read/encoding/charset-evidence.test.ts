import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { createCharsetEvidence } from './charset-evidence'

function collect(chunks: Uint8Array[], charset: string): string[] {
  const evidence = createCharsetEvidence()
  for (const chunk of chunks) evidence.add(chunk)
  return evidence.cells(true).map((cell) => iconv.decode(Buffer.from(cell), charset))
}

describe('the evidence for a charset', () => {
  it('is the whole cells with non-ASCII characters, each once', () => {
    const text = 'sku,name\n1,"Garden chair, blanc cassé"\n2,Café\n3,Lamp\n4,Café\n'
    expect(collect([iconv.encode(text, 'windows-1252')], 'windows-1252')).toEqual([
      ' blanc cassé',
      'Café',
    ])
  })

  it('includes a cell behind many plain ones, and the last one without a line end', () => {
    const chunks = [Buffer.from('1,plain\n'.repeat(50_000)), iconv.encode('2,Tür', 'windows-1252')]
    expect(collect(chunks, 'windows-1252')).toEqual(['Tür'])
  })

  it('omits the last cell while more chunks may follow, which may complete it', () => {
    const evidence = createCharsetEvidence()
    evidence.add(Buffer.from([0xe9, 0x0a, 0x81]))
    expect(evidence.cells(false)).toHaveLength(1)
    evidence.add(Buffer.from([0x40, 0x0a]))
    expect(evidence.cells(true)).toHaveLength(1)
  })

  it('is limited to a few kilobytes', () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => `é${index}\n`).join('')
    const size = collect([iconv.encode(rows, 'windows-1252')], 'windows-1252').join('').length
    expect(size).toBeGreaterThan(3_000)
    expect(size).toBeLessThan(5_000)
  })

  it('splits no double-byte character, wherever a chunk or a long cell ends', () => {
    const bytes = iconv.encode(`1,${'台所用品'.repeat(200)}\n2,子供のおもちゃ\n`, 'gb18030')
    for (let at = 0; at <= bytes.length; at += 1) {
      const cells = collect([bytes.subarray(0, at), bytes.subarray(at)], 'gb18030')
      expect(cells.join('')).toMatch(/^[台所用品子供のおもちゃ]+$/)
    }
  })
})
