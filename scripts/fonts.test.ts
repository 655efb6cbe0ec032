import { globSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { cutFont, WEIGHTS } from './fonts.mjs'

const FONT = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
/** In style sheets, in properties and in the theme. */
const WEIGHT = /(?:font-?weight: ?'?|\bfw=\{?"?)(\d+)/gi

it('a font keeps what it is, without the weights that nothing uses', async () => {
  const whole = readFileSync(FONT)
  const cut = await cutFont(whole)
  expect(cut.subarray(0, 4).toString()).toBe('wOF2')
  expect(cut.length).toBeGreaterThan(whole.length * 0.5)
  expect(cut.length).toBeLessThan(whole.length * 0.75)
})

it('no text has a weight that the fonts of the product do not have', () => {
  const weights = globSync('src/client/**/*.{css,ts,tsx}').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(WEIGHT)].map(([, weight]) => Number(weight)),
  )
  expect(weights.length).toBeGreaterThan(50)
  expect(weights.filter((weight) => weight < WEIGHTS.min || weight > WEIGHTS.max)).toEqual([])
})
