import type { Page } from './page'

/** How far something moved without anybody's doing, as browsers measure it, and the beginning of its text. */
type Move = [value: number, what: string]

/** Records the moves on every page that is opened in this window from now on. */
export async function watchMoves(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const moves: Move[] = []
    Object.assign(window, { moves })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, sources } = entry as PerformanceEntry & {
          value: number
          sources: { node: Node | null }[]
        }
        moves.push([value, sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(', ')])
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
}

export const readMoves = (page: Page): Promise<Move[]> =>
  page.evaluate(() => (window as unknown as { moves: Move[] }).moves)
