import { withoutComments } from './header-text'

/** What the configured host found of the domain of `From`; `missing`: it says nothing of it. */
export type Dmarc = 'pass' | 'fail' | 'none' | 'missing'

/** A header by its name in lower case, and what follows the colon. */
export interface HeaderField {
  key: string
  /** Whether nothing stands between its name and the colon, where some programs do not see the name. */
  isPlain: boolean
  value: string
}

const MAX_RESULTS = 50
const RESULT = /^dmarc(?:\/\d{1,3})? *= *([a-z]{1,20})(?: |$)/
const OF_DOMAIN = / header\.from *= *([^ ]{1,300})/

/**
 * Reads what a host says of DMARC, in the topmost of its blocks: the headers that it has added together, above
 * the next `Received`. Those of other hosts, and further below, may be of anybody.
 */
export function readDmarc(
  fields: readonly HeaderField[],
  { host, sender }: { host: string; sender: string | null },
): Dmarc {
  const found: Dmarc[] = []
  for (const results of listTopmost(fields, host)) {
    for (const result of results) {
      const verdict = RESULT.exec(result)?.[1]
      if (verdict === undefined) continue
      const domain = OF_DOMAIN.exec(result)?.[1]
      const isOfSender = domain === undefined || sender?.endsWith(`@${domain.toLowerCase()}`)
      found.push(verdict === 'pass' && isOfSender ? 'pass' : verdict === 'none' ? 'none' : 'fail')
    }
  }
  return found.find((verdict) => verdict !== 'pass') ?? found[0] ?? 'missing'
}

function listTopmost(fields: readonly HeaderField[], host: string): string[][] {
  const block: string[][] = []
  for (const { key, isPlain, value } of fields) {
    if (key === 'received' && block.length > 0) break
    if (key !== 'authentication-results' || !isPlain) continue
    // Whoever removes forged ones may not see a name behind a comment or in quotes.
    const [id] = value.trim().toLowerCase().split(/[\s;]/, 1)
    if (id !== host) continue
    const [, ...results] = withoutComments(value)
      .toLowerCase()
      .split(';', MAX_RESULTS)
      .map((part) => part.trim())
    block.push(results)
  }
  return block
}
