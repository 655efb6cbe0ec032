import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { createCharsetEvidence } from './charset-evidence'
import { guessCharset } from './charset-guess'
import { decodeText } from './charsets'

/** Accented names of a catalogue, and words without accents. */
type Catalogue = { names: string; words: string[] }

const WESTERN: Record<string, Catalogue> = {
  english: { names: 'Naïve;Café table;Décor', words: ['Film', 'cable', 'Widget'] },
  german: { names: 'Schlüssel;Größe;Küche;Möbel für Gärten', words: ['Folie', 'kabel', 'Lampe'] },
  french: { names: 'Vêtements été;Crème brûlée;Garçon', words: ['Lampe', 'cable', 'Chaise'] },
  spanish: { names: 'Niños;Camisón algodón;Jardín;Año', words: ['Cable', 'silla', 'Zapatos'] },
  portuguese: { names: 'Calças;Coração;Sapatos de verão', words: ['Cabo', 'cadeira', 'Sapatos'] },
  italian: { names: 'Qualità;Caffè;Più venduti;Novità', words: ['Cavo', 'sedia', 'Scarpe'] },
  swedish: { names: 'Kläder för män;Trädgård;Skärm', words: ['Kabel', 'stol', 'Skor'] },
  danish: { names: 'Tøj til mænd;Køkken;Sække;Blå', words: ['Kabel', 'stol', 'Sko'] },
}
const OTHERS = [
  ['windows-1250', 'Női cipő;Férfi póló;Hűtőszekrény'],
  ['windows-1250', 'Dětské oblečení;Dámská obuv;Šroubovák křížový'],
  ['windows-1253', 'Ανδρικά παπούτσια;Γυναικεία ρούχα'],
  ['windows-1257', 'Vyriški batai;Moteriški drabužiai;Žaislai vaikams'],
  ['cp850', 'Schlüssel;Größe;Küche;Möbel'],
  ['macroman', 'Vêtements été;Crème brûlée'],
] as const

/** The signs of Windows-1252 from ¡ to ¿, without the soft hyphen, which nobody sees. */
const SIGNS = Array.from({ length: 31 }, (_, place) => 0xa1 + place)
  .filter((byte) => byte !== 0xad)
  .map((byte) => iconv.decode(Buffer.of(byte), 'windows-1252'))

const besideDigits = (sign: string) => [`5${sign}`, `${sign}12.50`, `10${sign}20`]
const besideUnits = (sign: string) => [`10${sign}F`, `Film 10${sign}m`]
const besideLetters = (sign: string, { words }: Catalogue) => [
  ...words.flatMap((word) => [`${word}${sign}`, `${sign}${word}`]),
  ...besideUnits(sign),
]

const toTable = (names: string, cells: string[]) =>
  `sku;name\n${names}\n${cells.map((cell, row) => `${row};${cell}\n`).join('')}`

async function isRead(text: string, charset: string): Promise<boolean> {
  const bytes = iconv.encode(text, charset)
  const evidence = createCharsetEvidence()
  evidence.add(bytes)
  return decodeText(await guessCharset(evidence.cells(true)), bytes) === text
}

async function listMisread(charset: string, signs: string[], catalogue: Catalogue) {
  const misread: string[] = []
  for (const sign of signs) {
    for (const cells of [besideDigits(sign), besideLetters(sign, catalogue)]) {
      for (const names of ['', catalogue.names]) {
        if (!(await isRead(toTable(names, cells), charset))) misread.push(`${sign} in ${cells[0]}`)
      }
    }
  }
  return misread
}

describe('signs beside digits and letters', () => {
  it.each(Object.entries(WESTERN))(
    'are read from windows-1252 as they are, with and without accents: %s',
    async (_language, catalogue) => {
      expect(await listMisread('windows-1252', SIGNS, catalogue)).toEqual([])
    },
  )

  it.each(OTHERS)('are read from %s as they are: %s', async (charset, names) => {
    const signs = Array.from('§©«®°±µ·»£½²×–€').filter(
      (sign) => iconv.decode(iconv.encode(sign, charset), charset) === sign,
    )
    for (const cells of signs.flatMap((sign) => [besideDigits(sign), besideUnits(sign)])) {
      expect([cells, await isRead(toTable(names, cells), charset)]).toEqual([cells, true])
    }
  })

  it.each(['Men´s boot', 'col·lecció', 'Brand®lamp', '5 m²/h', '20°C'])(
    'are read inside a word: %s',
    async (cell) => {
      expect(await isRead(toTable('', [cell]), 'windows-1252')).toBe(true)
    },
  )

  it('let µ before a unit be itself beside any accents', async () => {
    for (const { names } of Object.values(WESTERN)) {
      const cells = ['10µF', 'Film 10µm', 'Kondensator 4,7 µF']
      expect(await isRead(toTable(names, cells), 'windows-1252')).toBe(true)
    }
  })
})

it('reads ð and þ of Icelandic', async () => {
  const names = 'Karlmannsskór;Kvenfatnaður;Eldhúshnífur;Þvottaefni;Húsgögn'
  expect(await isRead(toTable(names, []), 'windows-1252')).toBe(true)
})
