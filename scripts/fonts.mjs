import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import subsetFont from 'subset-font'

/** Of the weights that a font is drawn for, those that the product uses: the others are a third of its bytes. */
export const WEIGHTS = { min: 400, max: 700 }

/**
 * Takes the other weights out of the fonts in a folder. They keep their names: who has kept a whole one needs no
 * other. @param {string} folder
 */
export async function cutFonts(folder) {
  const fonts = readdirSync(folder).filter((name) => name.endsWith('.woff2'))
  if (!fonts.length) throw new Error(`${folder} has no fonts`)
  for (const name of fonts) {
    const path = join(folder, name)
    writeFileSync(path, await cutFont(readFileSync(path)))
  }
}

/** @param {Buffer} font */
export const cutFont = (font) =>
  subsetFont(font, undefined, { keepAllGlyphs: true, variationAxes: { wght: WEIGHTS } })
