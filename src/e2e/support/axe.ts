import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

import type { AxeResults, RunOptions } from 'axe-core'
import { expect } from 'vitest'

import type { Page } from './page'

type Axe = { run(options: RunOptions): Promise<AxeResults> }

const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What depends on the color scheme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

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

/** Expects no violation as the page is, in both color schemes on a desktop, and on a phone. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const [colorScheme, rules] of [['dark', COLOR_RULES], ['light']] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    const find = () => findViolations(page, rules && [...rules])
    await expect.poll(find, { message: colorScheme }).toEqual([])
  }
  await page.setViewportSize({ width: 390, height: 800 })
  // It only waits for the layout.
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await expect.poll(() => findViolations(page), { message: 'on a phone' }).toEqual([])
  await page.setViewportSize({ width: 1280, height: 800 })
}
