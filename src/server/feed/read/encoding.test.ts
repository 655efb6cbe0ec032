import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { createEncodingDetector, guessCharset } from './encoding'

const WORDS: Record<string, string[]> = {
  czech: [
    'Příliš žluťoučký kůň úpěl ďábelské ódy',
    'Dětské oblečení;Dámská obuv;Pánské tričko s potiskem;Šroubovák křížový',
    'Kuchyňský nůž;Hrnec nerezový;Žárovka;Ručník bavlněný',
    'Čistič',
    'Míč',
  ],
  slovak: [
    'Detské topánky;Pánska košeľa;Ľahká taška;Skrutkovač krížový;Kuchynský nôž',
    'Uterák žltý',
  ],
  polish: [
    'Zażółć gęślą jaźń',
    'Odzież damska;Łóżko dziecięce;Śrubokręt krzyżowy;Książka kucharska;Żarówka',
    'Koszulka męska bawełniana;Płyn do mycia naczyń;Świeca zapachowa',
    'Buty zimowe żółte',
  ],
  hungarian: [
    'árvíztűrő tükörfúrógép',
    'Női cipő;Férfi póló;Hűtőszekrény;Bőr öv;Gyerekjáték;Kerékpár;Csavarhúzó készlet',
    'bőr cipő',
  ],
  romanian: ['Încălţăminte bărbaţi;Cămaşă;Jucării pentru copii;Şurubelniţă;Lumânare parfumată'],
  croatian: [
    'Ženske cipele;Muška košulja;Dječje igračke;Kuhinjski nož;Žarulja;Svijeća mirisna;Odjeća',
  ],
}
const WESTERN: Record<string, string[]> = {
  french: [
    'Vêtements été;Chaussures à talons;Crème brûlée;Lampe déco;Fenêtre;Garçon',
    'Épicerie fine',
    'Gâteau à la crème',
    'Cœur en chocolat, qualité supérieure',
  ],
  german: ['Schlüsselanhänger;Größe;Küche;Möbel für Gärten;Weiß', 'Tür', 'Größe 42'],
  spanish: ['Niños;Camisón algodón;Pantalón;Iluminación jardín;Cinturón;Año', 'Bañador'],
  portuguese: ['Calças;Calções;Coração;Iluminação;Algodão;Sapatos de verão;Mãe', 'Calções'],
  italian: ['Qualità;Caffè;Più venduti;Novità;Città', 'Novità'],
  swedish: ['Kläder för män;Trädgård;Skärm;Kök;Fåtölj', 'Blå tröja'],
  danish: ['Tøj til mænd;Køkken;Sække;Rødgrød med fløde;Blå', 'Grå sæk'],
  english: [
    'Café table;“Deluxe” lamp – 5° tilt;Size 10½;£5 voucher;Brand®;Widget™ – it’s new',
    'Naïve',
  ],
}

describe('charsets of Latin letters', () => {
  for (const charset of ['windows-1250', 'iso-8859-2']) {
    for (const [language, texts] of Object.entries(WORDS)) {
      it(`reads ${language} in ${charset}`, () => {
        for (const text of texts) {
          const bytes = iconv.encode(text, charset)
          expect(iconv.decode(bytes, guessCharset(bytes))).toBe(text)
        }
      })
    }
  }

  for (const [language, texts] of Object.entries(WESTERN)) {
    it(`reads ${language} in windows-1252`, () => {
      for (const text of texts) {
        const bytes = iconv.encode(text, 'windows-1252')
        expect(iconv.decode(bytes, guessCharset(bytes))).toBe(text)
      }
    })
  }

  it('are guessed as windows-1252 when the bytes mean the same in windows-1250', () => {
    expect(guessCharset(iconv.encode('Küche und Möbel', 'windows-1250'))).toBe('windows-1252')
  })
})

describe('charsets of other scripts', () => {
  const texts: [string, string][] = [
    [
      'windows-1251',
      'Мужская обувь;Женская одежда;Кухонный нож;Детские игрушки;Свеча ароматическая',
    ],
    ['koi8-r', 'Мужская обувь;Женская одежда;Кухонный нож;Детские игрушки;Свеча ароматическая'],
    ['windows-1253', 'Ανδρικά παπούτσια;Γυναικεία ρούχα;Μαχαίρι κουζίνας;Παιδικά παιχνίδια'],
    ['shift_jis', 'メンズシューズ,レディース服,台所用品,子供のおもちゃ,アロマキャンドル'],
    ['gb18030', '男鞋,女装,厨房用品,儿童玩具,香薰蜡烛,我们的商品都是新的'],
  ]
  for (const [charset, text] of texts) {
    it(`reads ${charset}`, () => {
      const bytes = iconv.encode(text, charset)
      expect(iconv.decode(bytes, guessCharset(bytes))).toBe(text)
    })
  }
})

function conclude(chunks: Uint8Array[], isWhole = true) {
  const detector = createEncodingDetector()
  for (const chunk of chunks) detector.push(chunk)
  return detector.detect(isWhole)
}

describe('the encoding detector', () => {
  const ascii = Buffer.from('sku,name\n1,plain\n')

  it('detects plain ASCII as UTF-8', () => {
    expect(conclude([ascii])).toEqual({ name: 'utf-8', bomLength: 0, hasStrayBytes: false })
  })

  it('detects encodings by their byte order mark', () => {
    const text = 'sku,name\n1,Müller\n'
    for (const [charset, bomLength] of [
      ['utf-8', 3],
      ['utf-16le', 2],
      ['utf-16be', 2],
      ['utf-32le', 4],
    ] as const) {
      const bytes = iconv.encode(text, charset, { addBOM: true })
      expect(conclude([bytes])).toEqual({ name: charset, bomLength, hasStrayBytes: false })
    }
  })

  it('detects UTF-16 without a byte order mark', () => {
    for (const charset of ['utf-16le', 'utf-16be']) {
      const bytes = iconv.encode('sku\tname\r\n1\tŻarówka\r\n', charset, { addBOM: false })
      expect(conclude([bytes]).name).toBe(charset)
    }
  })

  it('recognises UTF-8 characters across chunks of one byte', () => {
    const bytes = Buffer.from('a,b\né,日本😀\n')
    expect(conclude([...bytes].map((byte) => Buffer.of(byte)))).toMatchObject({
      name: 'utf-8',
      hasStrayBytes: false,
    })
  })

  it('detects a charset from non-ASCII characters in the last chunk only', () => {
    const late = iconv.encode('2,Łóżko dziecięce żółte\n', 'windows-1250')
    const chunks = [...Array.from({ length: 100 }, () => ascii), late]
    expect(conclude(chunks).name).toBe('windows-1250')
  })

  it('detects UTF-8 with stray bytes when only a few bytes are invalid', () => {
    const chunks = [Buffer.from('1,Müller\n2,Größe\n3,Café\n'), Buffer.of(0x4d, 0xfc, 0x6c, 0x0a)]
    expect(conclude(chunks)).toEqual({ name: 'utf-8', bomLength: 0, hasStrayBytes: true })
  })

  it('accepts an incomplete last character unless the file ends there', () => {
    const chunks = [Buffer.from('a,b\n1,Café, Thé'), Buffer.of(0xc3)]
    expect(conclude(chunks, false).hasStrayBytes).toBe(false)
    expect(conclude(chunks, true).hasStrayBytes).toBe(true)
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
