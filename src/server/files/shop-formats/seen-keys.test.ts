import { describe, expect, it } from 'vitest'

import { createSeenKeys } from './seen-keys'

describe('seen keys', () => {
  it('tell texts apart, however many there are', () => {
    const seen = createSeenKeys()
    const texts = Array.from({ length: 200_000 }, (_, place) => `SKU-${place}`)
    expect(texts.every((text) => seen.add(text) === true)).toBe(true)
    expect(texts.every((text) => seen.add(text) === false)).toBe(true)
  })

  it('tell texts apart that differ in order, case, length or one letter', () => {
    const texts = ['', 'a', 'A', 'aa', 'ab', 'ba', 'a\0', '\0a', '漢', '漢漢', 'a'.repeat(1_000)]
    const seen = createSeenKeys()
    expect(texts.map((text) => seen.add(text))).toEqual(texts.map(() => true))
  })

  it('say so when they are full', () => {
    const seen = createSeenKeys(8_192)
    const results = Array.from({ length: 5_000 }, (_, place) => seen.add(`${place}`))
    expect(results.slice(0, 4_096).every((isNew) => isNew === true)).toBe(true)
    expect(results.at(-1)).toBeUndefined()
  })
})
