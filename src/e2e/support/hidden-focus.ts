import type { Page } from './page'

interface FocusReport {
  /** How many different elements have had the focus. */
  examinedCount: number
  /** Those of which all was covered, with their place. */
  hidden: string[]
}

/**
 * From now on, looks at each element that has the focus after a Tab, and records it if something that
 * belongs elsewhere covers all of it, such as a bar that sticks to the top.
 * @returns a function that reads what was found
 */
export async function watchHiddenFocus(page: Page): Promise<() => Promise<FocusReport>> {
  const report = await page.evaluateHandle(() => {
    const examined = new Set<Element>()
    const found: FocusReport = { examinedCount: 0, hidden: [] }
    const isSeen = (node: Element, x: number, y: number) => {
      const seen = document.elementFromPoint(x, y)
      if (!seen) return false
      const labels = node instanceof HTMLInputElement ? [...(node.labels ?? [])] : []
      // What is around it has nothing in front of it; the label of an input stands for it.
      return [node, ...labels].some((part) => part.contains(seen)) || seen.contains(node)
    }
    document.addEventListener('keyup', ({ key }) => {
      const node = document.activeElement
      if (key !== 'Tab' || !node || node === document.body) return
      found.examinedCount = examined.add(node).size
      const { left, right, top, bottom } = node.getBoundingClientRect()
      // The corners are rounded, so points inside of them.
      const points = [0.05, 0.5, 0.95].flatMap((x) =>
        [0.15, 0.5, 0.85].map(
          (y) => [left + x * (right - left), top + y * (bottom - top)] as const,
        ),
      )
      if (!points.some(([x, y]) => isSeen(node, x, y))) {
        found.hidden.push(
          `${node.getAttribute('aria-label') ?? node.textContent} at ${Math.round(top)}`,
        )
      }
    })
    return found
  })
  return () => report.jsonValue()
}
