import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { findCurrentBuild } from '../../../scripts/current-build.mjs'

/** The goals of docs/performance.md, in bytes: scripts of /auth and of the largest page, and its styles. */
export const MAX_WEIGHT = { auth: 180_000, page: 260_500, styles: 40_000 }

const pathOf = (name: string) => join(findCurrentBuild('dist') ?? '', 'client', name)
/** Begins the list of the files that pages load. */
const LIST = 'm.f=['
/** All but that of /auth, which has an HTML page of its own. */
const PAGE = /^(?!auth\.).*\.page-[^.]+\.js$/

/** The files that a page loads before it is shown. */
export type Page = { name: string; files: ReadonlySet<string> }

/** Reads which files pages load, from the current build. */
export function readPages(): { auth: Page; others: Page[] } {
  const shell = namedIn('index.html')
  const entry = shell.find((file) => /\/index-[^/]+\.js$/.test(file)) ?? ''
  const text = readFileSync(pathOf(entry), 'utf8')
  const pages = readdirSync(pathOf('assets')).filter((name) => PAGE.test(name))
  return {
    auth: { name: 'auth', files: new Set(namedIn('auth.html')) },
    others: pages.map((name) => ({
      name,
      files: new Set([...shell, ...loadedWith(name, text)]),
    })),
  }
}

/** The scripts and styles that an HTML page names. */
const namedIn = (page: string) =>
  [...readFileSync(pathOf(page), 'utf8').matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)].map(
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

/** The compressed bytes of a page's files of a type, for example `.js`. */
export function weigh({ files }: Page, type: string): number {
  const sizes = [...files].filter((file) => file.endsWith(type)).map(compressedSize)
  return sizes.reduce((sum, size) => sum + size, 0)
}

function compressedSize(file: string): number {
  const path = pathOf(file)
  const stored = `${path}.gz`
  return existsSync(stored) ? statSync(stored).size : gzipSync(readFileSync(path)).length
}
