import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { AxeResults, RunOptions } from 'axe-core'
import { expect } from 'vitest'

import type { Page } from './page'

type Axe = { run(options: RunOptions): Promise<AxeResults> }

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What depends on the color scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** The last one is that of most tests. */
const WIDTHS = [390, 1920, 1280]

/** What axe finds, with the elements concerned. @param rules all by default */
export async function findViolations(page: Page, rules?: string[]): Promise<string[]> {
  // The content security policy blocks injected scripts; `evaluate` bypasses it via the debugger.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const options: RunOptions = { resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate(
    (run) => (window as unknown as { axe: Axe }).axe.run(run),
    options,
  )
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 120)} ${node.failureSummary}`),
  )
}

/** Expects no violation as the page is: on a phone, a desktop and a wide screen, in both color schemes. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [['dark', COLOR_RULES], ['light']] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      // It only waits for the layout.
      await page.evaluate(() => new Promise(requestAnimationFrame))
      const find = () => findViolations(page, rules && [...rules])
      await expect.poll(find, { message: `${colorScheme}, at ${width} px` }).toEqual([])
    }
  }
}
