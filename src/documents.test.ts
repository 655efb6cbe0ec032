import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

import { describe, expect, it } from 'vitest'

const ROOT_DOCUMENTS = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md']

const documents = [
  ...ROOT_DOCUMENTS.filter((path) => existsSync(path)),
  ...listFiles('docs', /\.md$/),
  ...listFiles('src', /\.md$/),
]
const sources = [
  ...listFiles('src', /\.(?:tsx?|css|html)$/),
  ...listFiles('scripts', /\.(?:ts|mjs)$/),
]

describe('the documents', () => {
  it.each(documents)('link to files and headings that exist: %s', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
    const broken = links
      .map(([, target = '']) => target)
      .filter((target) => !leadsSomewhere(path, target))
    expect(broken).toEqual([])
  })

  it('are linked by comments under headings that exist', () => {
    const links = sources.flatMap((path) =>
      [...read(path).matchAll(/\b(docs\/[\w/-]+\.md(?:#[\w-]+)?)/g)].map(([, target = '']) => ({
        path,
        target,
      })),
    )
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter(({ target }) => !leadsSomewhere('README.md', target))).toEqual([])
  })
})

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', heading] = target.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), decodeURI(file)))
  if (!existsSync(path)) return false
  return heading === undefined || headingsOf(path).has(heading)
}

/** The anchors of a document's headings, as GitHub makes them. */
function headingsOf(path: string): Set<string> {
  const headings = read(path).matchAll(/^#+ (.+)$/gm)
  return new Set(
    [...headings].map(([, text = '']) =>
      text
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
}

function listFiles(folder: string, name: RegExp): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path))
    .filter((path) => name.test(path) && !path.includes('node_modules'))
    .toSorted()
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
