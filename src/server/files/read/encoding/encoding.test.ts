import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { type EncodingHints, createEncodingDetector } from './encoding'

function conclude(chunks: Uint8Array[], isWhole = true) {
  const detector = createEncodingDetector()
  for (const chunk of chunks) detector.push(chunk)
  return detector.detect(isWhole)
}

function concludeWith(hints: EncodingHints, bytes: Uint8Array) {
  const detector = createEncodingDetector(hints)
  detector.push(bytes)
  return detector.detect(true)
}

describe('the encoding detector', () => {
  const ascii = Buffer.from('sku,name\n1,plain\n')

  it('detects plain ASCII as UTF-8', async () => {
    expect(await conclude([ascii])).toEqual({ name: 'utf-8', bomLength: 0, hasStrayBytes: false })
  })

  it('detects encodings by their byte order mark', async () => {
    const text = 'sku,name\n1,Müller\n'
    for (const [charset, bomLength] of [
      ['utf-8', 3],
      ['utf-16le', 2],
      ['utf-16be', 2],
      ['utf-32le', 4],
    ] as const) {
      const bytes = iconv.encode(text, charset, { addBOM: true })
      expect(await conclude([bytes])).toEqual({ name: charset, bomLength, hasStrayBytes: false })
    }
  })

  it('detects UTF-16 without a byte order mark', async () => {
    for (const charset of ['utf-16le', 'utf-16be']) {
      const bytes = iconv.encode('sku\tname\r\n1\tŻarówka\r\n', charset, { addBOM: false })
      expect((await conclude([bytes])).name).toBe(charset)
    }
  })

  it('recognises UTF-8 characters across chunks of one byte', async () => {
    const bytes = Buffer.from('a,b\né,日本😀\n')
    expect(await conclude([...bytes].map((byte) => Buffer.of(byte)))).toMatchObject({
      name: 'utf-8',
      hasStrayBytes: false,
    })
  })

  it('detects a charset from non-ASCII characters in the last chunk only', async () => {
    const late = iconv.encode('2,Łóżko dziecięce żółte\n', 'windows-1250')
    const chunks = [...Array.from({ length: 100 }, () => ascii), late]
    expect((await conclude(chunks)).name).toBe('windows-1250')
  })

  it('detects UTF-8 with stray bytes when only a few bytes are invalid', async () => {
    const chunks = [Buffer.from('1,Müller\n2,Größe\n3,Café\n'), Buffer.of(0x4d, 0xfc, 0x6c, 0x0a)]
    expect(await conclude(chunks)).toEqual({ name: 'utf-8', bomLength: 0, hasStrayBytes: true })
  })

  it('accepts an incomplete last character unless the file ends there', async () => {
    const chunks = [Buffer.from('a,b\n1,Café, Thé'), Buffer.of(0xc3)]
    expect((await conclude(chunks, false)).hasStrayBytes).toBe(false)
    expect((await conclude(chunks, true)).hasStrayBytes).toBe(true)
  })

  it('names the charset that it guessed, with characters and cells to check', async () => {
    const bytes = iconv.encode(
      'sku,name\n1,Čepice\n2,Šála\n3,Žlutý svetr\n4,Šála\n',
      'windows-1250',
    )
    expect((await conclude([bytes])).note).toBe(
      'Read as Windows-1250: check that Š á Ž ý Č look right, as in “Šála”, “Žlutý svetr”, “Čepice”.',
    )
  })

  it('reads the charset that the server declares, without a guess, where the text makes sense', async () => {
    const declared = iconv.encode('sku,name\n1,Жук\n', 'koi8-r')
    expect(await concludeWith({ declared: 'koi8-r', previous: null }, declared)).toEqual({
      name: 'koi8-r',
      bomLength: 0,
      hasStrayBytes: false,
    })
    // Servers declare ISO-8859-1 for any file.
    const czech = iconv.encode('1,Čepice\n2,Šála\n3,Žlutý\n4,Příliš\n', 'windows-1250')
    const guessed = await concludeWith({ declared: 'iso-8859-1', previous: null }, czech)
    expect(guessed).toMatchObject({ name: 'windows-1250', note: expect.stringMatching(/^Read as/) })
  })

  it('tells when the file before was read in another charset', async () => {
    const bytes = Buffer.from('1,Čepice\n')
    expect(await concludeWith({ declared: null, previous: 'windows-1250' }, bytes)).toMatchObject({
      name: 'utf-8',
      note: 'Read as UTF-8. The file before was read as Windows-1250.',
    })
    const hints = { declared: null, previous: 'windows-1250' }
    const unchanged = await concludeWith(hints, Buffer.from('1,cap\n'))
    expect(unchanged.note).toBeUndefined()
  })

  it('prefers the charset of the file before', async () => {
    const bytes = iconv.encode('1,Čaj\n', 'windows-1250')
    const guess = (previous: string | null) => concludeWith({ declared: null, previous }, bytes)
    expect(await guess(null)).toMatchObject({ name: 'windows-1252' })
    expect(await guess('windows-1250')).toMatchObject({ name: 'windows-1250' })
  })

  it('detects Windows-1252 with some cells in UTF-8', async () => {
    const legacy = iconv.encode('1,Möbel für Gärten\n2,Küche\n3,Tür\n', 'windows-1252')
    const encoding = await conclude([legacy, Buffer.from('4,Größe\n')])
    expect(encoding).toMatchObject({
      name: 'windows-1252',
      hasStrayBytes: true,
      note: expect.stringMatching(/Some cells are UTF-8\.$/),
    })
  })

  it('does not accept overlong forms and surrogates as UTF-8', () => {
    for (const bytes of [
      [0xc0, 0xaf],
      [0xe0, 0x80, 0xaf],
      [0xed, 0xa0, 0x80],
      [0xf5, 0x80, 0x80, 0x80],
    ]) {
      const detector = createEncodingDetector()
      detector.push(Buffer.from([0x61, ...bytes, 0x0a]))
      expect(detector.isUtf8()).toBe(false)
    }
  })
})
