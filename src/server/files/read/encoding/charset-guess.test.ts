import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'

import { createCharsetEvidence } from './charset-evidence'
import { guessCharset } from './charset-guess'
import { decodeText } from './charsets'

const CENTRAL: Record<string, string> = {
  czech:
    'Příliš žluťoučký kůň úpěl ďábelské ódy\nDětské oblečení;Dámská obuv;Pánské tričko s potiskem;Šroubovák křížový\nKuchyňský nůž;Hrnec nerezový;Žárovka;Ručník bavlněný\nČistič\nMíč',
  slovak: 'Detské topánky;Pánska košeľa;Ľahká taška;Skrutkovač krížový;Kuchynský nôž\nUterák žltý',
  polish:
    'Zażółć gęślą jaźń\nOdzież damska;Łóżko dziecięce;Śrubokręt krzyżowy;Książka kucharska;Żarówka\nKoszulka męska bawełniana;Płyn do mycia naczyń;Świeca zapachowa\nButy zimowe żółte',
  hungarian:
    'árvíztűrő tükörfúrógép\nNői cipő;Férfi póló;Hűtőszekrény;Bőr öv;Gyerekjáték;Kerékpár;Csavarhúzó készlet\nbőr cipő',
  romanian: 'Încălţăminte bărbaţi;Cămaşă;Jucării pentru copii;Şurubelniţă;Lumânare parfumată',
  croatian:
    'Ženske cipele;Muška košulja;Dječje igračke;Kuhinjski nož;Žarulja;Svijeća mirisna;Odjeća',
}
const WESTERN: Record<string, string> = {
  french:
    'Vêtements été;Chaussures à talons;Crème brûlée;Lampe déco;Fenêtre;Garçon\nÉpicerie fine\nGâteau à la crème\nCœur en chocolat, qualité supérieure',
  german: 'Schlüsselanhänger;Größe;Küche;Möbel für Gärten;Weiß\nTür\nGröße 42',
  spanish: 'Niños;Camisón algodón;Pantalón;Iluminación jardín;Cinturón;Año\nBañador',
  portuguese: 'Calças;Calções;Coração;Iluminação;Algodão;Sapatos de verão;Mãe\nCalções',
  italian: 'Qualità;Caffè;Più venduti;Novità;Città\nNovità',
  swedish: 'Kläder för män;Trädgård;Skärm;Kök;Fåtölj\nBlå tröja',
  danish: 'Tøj til mænd;Køkken;Sække;Rødgrød med fløde;Blå\nGrå sæk',
  english:
    'Café table;“Deluxe” lamp – 5° tilt;Size 10½;£5 voucher;Brand®;Widget™ – it’s new\nNaïve',
}

/** Decodes a text with the charset that is guessed from its bytes. */
async function readGuessed(bytes: Uint8Array): Promise<string> {
  const evidence = createCharsetEvidence()
  evidence.add(bytes)
  return decodeText(await guessCharset(evidence.cells(true)), bytes)
}

describe('charsets of Latin letters', () => {
  for (const charset of ['windows-1250', 'iso-8859-2', 'cp852', 'maccenteuro']) {
    for (const [language, text] of Object.entries(CENTRAL)) {
      it(`reads ${language} in ${charset}`, async () => {
        const bytes = iconv.encode(text, charset)
        expect(await readGuessed(bytes)).toBe(iconv.decode(bytes, charset))
      })
    }
  }

  for (const charset of ['windows-1252', 'cp850', 'macroman']) {
    for (const [language, text] of Object.entries(WESTERN)) {
      it(`reads ${language} in ${charset}`, async () => {
        const bytes = iconv.encode(text, charset)
        expect(await readGuessed(bytes)).toBe(iconv.decode(bytes, charset))
      })
    }
  }

  it('reads Turkish in windows-1254 and Lithuanian in windows-1257', async () => {
    const turkish = 'Erkek ayakkabı;Kadın giyim;Çocuk oyuncağı;Mutfak bıçağı;Şarj cihazı;Gömlek'
    expect(await readGuessed(iconv.encode(turkish, 'windows-1254'))).toBe(turkish)
    const lithuanian = 'Vyriški batai;Moteriški drabužiai;Žaislai vaikams;Virtuvės peilis;Žvakė'
    expect(await readGuessed(iconv.encode(lithuanian, 'windows-1257'))).toBe(lithuanian)
  })
})

describe('a single kind of character in an English catalogue', () => {
  const CATALOGUES: [string, string][] = [
    ['£', 'sku,price\n1,£12.50\n2,£3\n3,£1,200.00\n'],
    ['é', 'sku,name\n1,Café table\n2,Décor lamp\n'],
    ['©', 'sku,note\n1,© 2026 Acme\n2,© Northbeck\n'],
    ['±', 'sku,size\n1,5 ± 2 mm\n2,±0.5\n'],
    ['½', 'sku,size\n1,10½ in\n2,½ inch\n'],
    ['×', 'sku,size\n1,20 × 30 cm\n'],
    ['°', 'sku,name\n1,Kettle 90°\n'],
    ['®', 'sku,name\n1,Brand® lamp\n'],
    ['’', 'sku,name\n1,Men’s boot\n2,Women’s boot\n'],
    ['–', 'sku,name\n1,Lamp – black\n'],
    ['Ø', 'sku,size\n1,Ø12 mm\n2,Ø 8\n'],
    ['µ', 'sku,size\n1,5 µm\n'],
  ]
  it.each(CATALOGUES)('%s arrives from windows-1252', async (_sign, text) => {
    const bytes = iconv.encode(text, 'windows-1252')
    expect(await readGuessed(bytes)).toBe(text)
  })

  it('arrives even when a thousand rows repeat it', async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => `${index},£${index}.50\n`).join('')
    expect(await readGuessed(iconv.encode(rows, 'windows-1252'))).toBe(rows)
  })
})

describe('Č, Š and Ž', () => {
  it('arrive from windows-1250 although no other letter is accented', async () => {
    const text = 'sku,name\n1,Čepice\n2,Šortky\n3,Župan\n4,Čaj\n5,Košile\n'
    expect(await readGuessed(iconv.encode(text, 'windows-1250'))).toBe(text)
  })
})

describe('charsets of other scripts', () => {
  const RUSSIAN = 'Мужская обувь;Женская одежда;Кухонный нож;Детские игрушки;Свеча ароматическая'
  const GREEK = 'Ανδρικά παπούτσια;Γυναικεία ρούχα;Μαχαίρι κουζίνας;Παιδικά παιχνίδια'
  const JAPANESE = 'メンズシューズ,レディース服,台所用品,子供のおもちゃ,アロマキャンドル'
  const TEXTS: [string, string][] = [
    ['windows-1251', RUSSIAN],
    ['koi8-r', RUSSIAN],
    ['iso-8859-5', RUSSIAN],
    ['cp866', RUSSIAN],
    ['maccyrillic', RUSSIAN],
    ['koi8-u', 'Чоловіче взуття;Жіночий одяг;Кухонний ніж;Дитячі іграшки;Їжа;Ґудзик'],
    ['windows-1253', GREEK],
    ['iso-8859-7', GREEK],
    ['windows-1255', 'נעלי גברים;בגדי נשים;סכין מטבח;צעצועים לילדים;נר ריחני'],
    ['windows-1256', 'أحذية رجالية;ملابس نسائية;سكين مطبخ;ألعاب أطفال;شمعة معطرة'],
    ['cp874', 'รองเท้าผู้ชาย;เสื้อผ้าสตรี;มีดทำครัว;ของเล่นเด็ก;เทียนหอม'],
    ['shift_jis', JAPANESE],
    ['euc-jp', JAPANESE],
    ['euc-kr', '남성 신발,여성 의류,주방 칼,어린이 장난감,향초'],
    ['gb18030', '男鞋,女装,厨房用品,儿童玩具,香薰蜡烛,我们的商品都是新的'],
    ['big5', '男鞋,女裝,廚房用品,兒童玩具,香薰蠟燭,我們的商品都是新的'],
  ]
  it.each(TEXTS)('reads %s', async (charset, text) => {
    const bytes = iconv.encode(text, charset)
    expect(await readGuessed(bytes)).toBe(text)
  })
})
