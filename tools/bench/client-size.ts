import { MAX_WEIGHT, readPages, weigh, type Page } from '../../src/e2e/support/page-weights'
import { atMost, formatNumber } from './goal'
import type { Row } from './row'

const KB = 1_000

export const clientRows: readonly Row[] = [
  {
    number: 17,
    name: 'client-size',
    parts: [
      {
        what: 'scripts of the first load of /auth, gzip',
        goal: atMost(MAX_WEIGHT.auth / KB, 'KB'),
      },
      { what: 'scripts of the largest page, gzip', goal: atMost(MAX_WEIGHT.second / KB, 'KB') },
      { what: 'styles of the largest page, gzip', goal: atMost(MAX_WEIGHT.styles / KB, 'KB') },
    ],
    async measure(bench) {
      // Starting the product builds it, if that is needed.
      await bench.stage()
      const { auth, others } = readPages()
      const all = [auth, ...others]
      const measure = (pages: Page[], type: string) => {
        const largest = Math.max(...pages.map((page) => weigh(page, type)))
        return { value: largest / KB, ours: `${formatNumber(largest / KB)} KB` }
      }
      return [measure([auth], '.js'), measure(all, '.js'), measure(all, '.css')]
    },
  },
]
