import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { atMost, formatNumber } from './goal'
import type { Row } from './row'

const CLIENT = 'dist/current/client'
const KB = 1_000
/** Begins the list of the files that pages load. */
const LIST = 'm.f=['
/** All but that of /auth, which has an HTML page of its own. */
const PAGE = /^(?!auth\.).*\.page-[^.]+\.js$/

export const clientRows: readonly Row[] = [
  {
    number: 17,
    name: 'client-size',
    parts: [
      { what: 'scripts of the first load of /auth, gzip', goal: atMost(180, 'KB') },
      { what: 'scripts of the largest page, gzip', goal: atMost(260, 'KB') },
      { what: 'styles of the largest page, gzip', goal: atMost(40, 'KB') },
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

/** The files that a page loads before it is shown. */
type Page = { files: ReadonlySet<string> }

function readPages(): { auth: Page; others: Page[] } {
  const shell = namedIn('index.html')
  const entry = shell.find((file) => /\/index-[^/]+\.js$/.test(file)) ?? ''
  const text = readFileSync(join(CLIENT, entry), 'utf8')
  const pages = readdirSync(join(CLIENT, 'assets')).filter((name) => PAGE.test(name))
  return {
    auth: { files: new Set(namedIn('auth.html')) },
    others: pages.map((page) => ({ files: new Set([...shell, ...loadedWith(page, text)]) })),
  }
}

/** The scripts and styles that an HTML page names. */
const namedIn = (page: string) =>
  [...readFileSync(join(CLIENT, page), 'utf8').matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file = '']) => file,
  )

/** The files that the entry loads together with the script of a page: the build lists them by index. */
function loadedWith(page: string, entry: string): string[] {
  const listStart = entry.indexOf(LIST)
  const list = entry.slice(listStart, entry.indexOf(']', listStart))
  const files = [...list.matchAll(/"([^"]+)"/g)].map(([, file = '']) => file)
  const start = entry.indexOf(`import(\`./${page}\`)`)
  const [, indexes = ''] = /^[^[]*\[([\d,]*)\]/.exec(entry.slice(start, start + 2_000)) ?? []
  if (start === -1 || indexes === '') throw new Error(`The build does not say what ${page} loads`)
  return [`assets/${page}`, ...indexes.split(',').map((index) => files[Number(index)] ?? '')]
}

/** The compressed bytes of a page's files of a type. */
function weigh({ files }: Page, type: string): number {
  const sizes = [...files].filter((file) => file.endsWith(type)).map(compressedSize)
  return sizes.reduce((sum, size) => sum + size, 0)
}

function compressedSize(file: string): number {
  const path = join(CLIENT, file)
  const stored = `${path}.gz`
  return existsSync(stored) ? statSync(stored).size : gzipSync(readFileSync(path)).length
}
