import { describe, expect, it } from 'vitest'

import { usernameSchema } from './primitives'

const NOT_ALLOWED = 'Username contains characters that are not allowed'
const NOT_SEEN = 'Username contains characters that cannot be seen'
const MIXED = 'Username must keep to the letters of one script, such as Latin or Cyrillic'

const complaintsOf = (name: string) =>
  usernameSchema.safeParse(name).error?.issues.map(({ message }) => message) ?? []

describe('a username', () => {
  it.each([
    ['Latin', 'Zoë Müller-Straße 2'],
    ['Latin with combining marks', 'Zoe\u0308'],
    ['Vietnamese', 'Nguyễn Thị Hằng'],
    ['Cyrillic', 'Лавка «Весна»'],
    ['Greek', 'Ελένη'],
    ['Arabic', 'متجر ٣'],
    ['Hebrew', 'חנות'],
    ['Devanagari', 'दुकान'],
    ['Thai', 'ร้านค้า'],
    ['Japanese', 'スーパー田中のお店'],
    ['Japanese with Latin', 'Cafe 田中 カフェ'],
    ['half-width Japanese', 'ｶﾌｪ'],
    ['Chinese with phonetic letters', '商店ㄕㄤ'],
    ['Chinese with Latin', 'VIP商店'],
    ['Korean with Latin and Chinese', 'K팝 商店'],
    ['Cherokee', 'ᏣᎳᎩ'],
    ['digits and signs', '№ 7 (+49) _@.'],
    ['an emoji', '🙂 shop'],
    ['mathematical letters', '𝐬𝐡𝐨𝐩'],
  ])('may be %s', (_what, name) => {
    expect(complaintsOf(name)).toEqual([])
  })

  it.each([
    ['a zero-width space', 'ad\u200Bmin'],
    ['a joiner', 'ad\u200Dmin'],
    ['a word joiner', 'ad\u2060min'],
    ['a byte order mark', 'ad\uFEFFmin'],
    ['a soft hyphen', 'ad\u00ADmin'],
    ['a direction mark', 'admin\u200F'],
    ['a variation selector', 'admin\uFE0F'],
    ['a variation selector of the second block', 'admin\u{E0100}'],
    ['a tag', 'admin\u{E0061}'],
    ['a grapheme joiner', 'ad\u034Fmin'],
    ['a Hangul filler', 'admin\u3164'],
    ['a half-width Hangul filler', 'admin\uFFA0'],
    ['a Khmer vowel without a form', 'admin\u17B4'],
    ['a line separator', 'ad\u2028min'],
    ['a blank Braille pattern', 'admin\u2800'],
    ['a blank note', 'admin\u{1D159}'],
  ])('is refused with %s', (_what, name) => {
    expect(complaintsOf(name)).toEqual([NOT_SEEN])
  })

  it.each([
    ['a control character', 'ad\u0007min'],
    ['an override of the direction', 'ad\u202Emin'],
    ['a lone surrogate', 'admin\uD83D'],
    ['a private-use character', 'admin\uE000'],
    ['an unassigned character', 'admin\u0378'],
  ])('is refused with %s', (_what, name) => {
    expect(complaintsOf(name)).toEqual([NOT_ALLOWED])
  })

  it.each([
    ['Latin and Cyrillic', 'аdmin'],
    ['Latin and Greek', 'αdmin'],
    ['Latin and Cherokee', 'Ꭺdmin'],
    ['Latin and Armenian', 'adոin'],
    ['Cyrillic and Greek', 'дομ'],
    ['Cyrillic and Chinese', 'Дом商店'],
    ['Japanese and Korean', 'カフェ팝'],
    ['Japanese and Chinese phonetic letters', 'カフェㄕ'],
    ['Cyrillic and mathematical Latin letters', 'раураⅼ'],
    ['Latin with a mark of another script', 'a\u0951\u0903'],
    ['a historic script', '𐌰𐌱'],
  ])('is refused with mixed or historic scripts: %s', (_what, name) => {
    expect(complaintsOf(name)).toEqual([MIXED])
  })

  it('is refused with two spaces in a row, which a page would show as one', () => {
    const complaint = 'Username must not have two spaces in a row'
    expect(complaintsOf('acme  corp')).toEqual([complaint])
    expect(complaintsOf('acme \u00A0corp')).toEqual([complaint])
    expect(complaintsOf('acme corp')).toEqual([])
  })

  it('is refused without further checks when it is too long', () => {
    const complaints = complaintsOf(`${'а'.repeat(1_000_000)}dmin`)
    expect(complaints).toEqual(['Username must be at most 100 characters'])
  })
})
