import type { Page } from './page'

/**
 * Values in a right-to-left script that are not where the text of the page begins: each element with
 * its own direction, whose text is set at the right while that around it is set at the left.
 */
export const findMisplaced = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const value of document.querySelectorAll('[dir="auto"]:not(input, textarea)')) {
      const { direction, textAlign, display } = getComputedStyle(value)
      if (direction !== 'rtl' || display === 'inline' || !value.checkVisibility()) continue
      const around = getComputedStyle(value.parentElement ?? document.body)
      const isAtRight = textAlign === 'right' || textAlign === 'start'
      const belongsRight = around.textAlign === 'right' || around.textAlign === 'end'
      const isRow = display === 'flex' && getComputedStyle(value).flexDirection === 'row'
      if ((isAtRight && !belongsRight) || isRow) {
        found.push(`${value.className}: ${value.textContent.slice(0, 40)}`)
      }
    }
    return found
  })

/** Sentences of the page that are set from right to left because they begin with such a value. */
export const findTurnedSentences = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[dir="auto"]:not(input, textarea)')]
      .filter((value) => getComputedStyle(value).direction === 'rtl')
      .map((value) => value.textContent)
      // A value is in its own script; two English words in a row are a sentence.
      .filter((text) => /[a-z]{2,} [a-z]{2,}/.test(text)),
  )
