import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

import { describe, expect, it } from 'vitest'

import { listPaths } from './server/testing/fixtures/list-paths'

const ROOT_DOCUMENTS = ['README.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md']

const documents = [
  ...ROOT_DOCUMENTS.filter((path) => existsSync(path)),
  ...listFiles('docs', /\.md$/),
  ...listFiles('src', /\.md$/),
  ...listFiles('tools', /\.md$/),
]
const sources = [
  ...listFiles('src', /\.(?:tsx?|css|html)$/),
  ...listFiles('scripts', /\.(?:ts|mjs)$/),
  ...listFiles('tools', /\.ts$/),
]

describe('documentation links', () => {
  it.each(documents)('lead to existing files and headings: %s', (path) => {
    const links = [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
    const broken = links
      .map(([, target = '']) => target)
      .filter((target) => !leadsSomewhere(path, target))
    expect(broken).toEqual([])
  })

  it('lead to existing headings in comments of the code', () => {
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

describe('files in links', () => {
  it.each(documents)('are called what they are: %s', (path) => {
    const links = [...read(path).matchAll(/\[([\w./-]+\.\w+)\]\((?!https?:)([^)\s#]+)\)/g)]
    const wrong = links.filter(
      ([, label = '', target = '']) => !`/${join(dirname(path), target)}`.endsWith(`/${label}`),
    )
    expect(wrong.map(([link]) => link)).toEqual([])
  })
})

describe('the folders in docs/architecture.md', () => {
  const listed = readFolders()

  it('exist', () => {
    expect(listed.filter((path) => !existsSync(path))).toEqual([])
  })

  it('are all of the code, except for nouns and suites', () => {
    const folders = readdirSync('src', { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !/node_modules|\/(?:features|suites)\//.test(path))
    expect(folders.filter((path) => !listed.includes(path))).toEqual([])
  })
})

describe('a threat in docs/security.md', () => {
  const [text = ''] = read('docs/security.md').split('\n## Limits\n')
  const threats = text.split('\n### ').slice(1)
  const named = threats.map((threat) => [threat.split('\n', 1)[0], threat])

  it.each(named)('has a control, its code and a test: %s', (_, threat) => {
    expect(threat).toMatch(
      /^.+\n\n(?!- )[^]+\n\n- Code: \[[^]+\n- Test:\s+\[.*\.(?:test|e2e|contract)\.ts\)/,
    )
  })
})

describe('the standard in docs/security.md', () => {
  /** How many requirements of the levels 1 and 2 each section of a chapter has; they are the first ones of it. */
  const CHAPTERS: [chapter: number, counts: number[]][] = [
    [6, [3, 11, 3, 4, 5, 3, 0, 3]],
    [7, [3, 4, 2, 5, 2, 2]],
    [8, [2, 3, 1, 1]],
    [10, [2, 2, 4, 11, 5, 2, 3]],
  ]
  const asked = CHAPTERS.flatMap(([chapter, counts]) =>
    counts.flatMap((count, section) =>
      Array.from({ length: count }, (_, index) => `${chapter}.${section + 1}.${index + 1}`),
    ),
  )
  const [text = ''] = (read('docs/security.md').split('\n## ASVS')[1] ?? '').split('\n## ')
  const rows = text.split('\n').filter((line) => /^\| \d/.test(line))
  const inRows = rows.map((row) => /^\| ([\d.]+)/.exec(row)?.[1] ?? '')
  const [, reasons = ''] = text.split('\n### Why not\n')

  it('is answered as a whole: each requirement in a row, or named as about what there is not', () => {
    const [beside = ''] = text.split('\n### Where more')
    const others = beside.replaceAll(/^\|.*$/gm, '')
    const named = [...others.matchAll(/(\d+\.\d+)\.(\d+)(?: (?:to|and) \1\.(\d+))?/g)].flatMap(
      ([, section = '', first = '', last = first]) =>
        asked.filter((number) => {
          const [, of = '', place = ''] = /^(\d+\.\d+)\.(\d+)$/.exec(number) ?? []
          return of === section && Number(place) >= Number(first) && Number(place) <= Number(last)
        }),
    )
    const byNumber = (one: string, other: string) =>
      one.localeCompare(other, 'en', { numeric: true })
    expect([...inRows, ...named].toSorted(byNumber)).toEqual(asked.toSorted(byNumber))
  })

  it.each(rows)('has a test in each row: %s', (row) => {
    expect(row).toMatch(/\.(?:test\.tsx?|e2e\.ts)\)/)
  })

  it('is not met by the product for five reasons at most, whose rows say so', () => {
    const numbers = [...reasons.matchAll(/^- ([\d.]+):/gm)].map(([, number]) => number)
    expect(numbers.length).toBeLessThanOrEqual(5)
    const hinted = inRows.filter((_, index) => rows[index]?.includes('(#why-not)'))
    expect(hinted).toEqual(numbers)
  })
})

function leadsSomewhere(from: string, target: string): boolean {
  const [file = '', heading] = target.split('#')
  const path = file === '' ? from : normalize(join(dirname(from), decodeURI(file)))
  if (!existsSync(path)) return false
  return heading === undefined || headingsOf(path).has(heading)
}

/** The paths in the tree of docs/architecture.md, without what stands for any name, such as `<wing>/`. */
function readFolders(): string[] {
  const [, tree = ''] = /^## Folders\n\n```\n([^]*?)```/m.exec(read('docs/architecture.md')) ?? []
  const parents: string[] = []
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)((?:[\w./-]+\/ ?)+)/.exec(line) ?? []
    const depth = indent.length / 2
    const paths = names
      .split(' ')
      .filter(Boolean)
      .map((name) => join(parents[depth - 1] ?? '', name.replace(/\/$/, '')))
    if (paths[0]) parents[depth] = paths[0]
    return paths
  })
}

/** The anchors of a document's headings, as generated by GitHub. */
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
  return listPaths(folder)
    .filter((path) => name.test(path) && !path.includes('node_modules'))
    .toSorted()
}

function read(path: string): string {
  return readFileSync(path, 'utf8')
}
