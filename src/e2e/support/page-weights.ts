import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

import { findCurrentBuild } from '../../../scripts/current-build.mjs'

/**
 * The goals of docs/performance.md, in bytes: scripts of /auth, of the first page of a role, and of one that is opened
 * from there, which has most of them already; and styles.
 */
export const MAX_WEIGHT = { auth: 180_000, first: 300_000, second: 355_000, styles: 40_000 }

const pathOf = (name: string) => join(findCurrentBuild('dist') ?? '', 'client', name)
/** Begins the list of the files that pages load. */
const LIST = 'm.f=['
/** Of pages that have a file of their own, of those with the rows of files, and of a shop. */
const OWN_FILE = /^(?:.*\.page|account|rows|shop|people)-[\w-]{8}\.js$/

/** The files that a page loads before it is shown. */
export type Page = { name: string; isFirst: boolean; files: ReadonlySet<string> }

/** Reads which files pages load, from the current build. */
export function readPages(): { auth: Page; others: Page[] } {
  const frame = namedIn('index.html')
  const entry = frame.find((file) => /\/index-[^/]+\.js$/.test(file)) ?? ''
  const text = readFileSync(pathOf(entry), 'utf8')
  const ofRoles = ['administrator', 'supplier', 'retailer', 'upload', 'invitation'].map((name) => ({
    name,
    isFirst: true,
    files: new Set(namedIn(`${name}.html`)),
  }))
  const named = new Set(ofRoles.flatMap(({ files }) => [...files]))
  const others = readdirSync(pathOf('assets'))
    .filter((name) => OWN_FILE.test(name) && !named.has(`assets/${name}`))
    .map((name) => ({
      name,
      isFirst: false,
      files: new Set([...frame, ...loadedWith(name, text)]),
    }))
  return {
    auth: { name: 'auth', isFirst: true, files: new Set(namedIn('auth.html')) },
    others: [...ofRoles, ...others],
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
  const indexes = /^[^[]*\[([\d,]*)\]/.exec(entry.slice(start, start + 2_000))?.[1]?.match(/\d+/g)
  if (start === -1 || indexes === undefined) {
    throw new Error(`The build does not say what ${page} loads`)
  }
  // A page may load nothing besides what runs first.
  return [`assets/${page}`, ...(indexes ?? []).map((index) => files[Number(index)] ?? '')]
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
