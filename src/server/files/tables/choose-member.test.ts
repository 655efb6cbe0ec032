import { describe, expect, it } from 'vitest'

import type { FileProblem } from '../../../shared/schemas/file'
import { createProblemLog } from '../read/problems'
import type { ArchiveEntry } from './archive'
import { chooseMember } from './choose-member'

const entry = (path: string, day = 1): ArchiveEntry => ({
  path,
  sizeBytes: 10,
  modifiedAt: new Date(Date.UTC(2026, 0, day)),
  isEncrypted: false,
})

function choose(paths: (string | ArchiveEntry)[], chosen: string | null = null) {
  const entries = paths.map((one) => (typeof one === 'string' ? entry(one) : one))
  return chooseMember(entries, chosen)
}

function noteOf(member: ReturnType<typeof choose>): FileProblem | undefined {
  const problems = createProblemLog()
  member.report(problems)
  return problems.list()[0]
}

describe('the table of an archive', () => {
  it.each([
    ['the only file', ['a.csv'], 'a.csv'],
    [
      'the only one beside folders and what systems write',
      ['x/', '__MACOSX/._a.csv', '.DS_Store', 'x/a.csv', 'Thumbs.db'],
      'x/a.csv',
    ],
    [
      'the only one beside documents and images',
      ['readme.txt', 'terms.pdf', 'logo.png', 'stock.dat'],
      'stock.dat',
    ],
    [
      'the only one beside what Excel writes of an open book',
      ['~$stock.xlsx', 'stock.xlsx'],
      'stock.xlsx',
    ],
    ['the only one beside pages', ['help/index.html', 'about.htm', 'stock.csv'], 'stock.csv'],
    [
      'the only page where nothing else may be a table',
      ['stock.html', 'logo.png', 'readme.html'],
      'stock.html',
    ],
    ['the only one beside a note in another language', ['LIESMICH.txt', 'stock.csv'], 'stock.csv'],
  ])('is %s', (_what, paths, path) => {
    const member = choose(paths)
    expect(member.entry.path).toBe(path)
    expect(member.candidates).toHaveLength(1)
    expect(noteOf(member)).toBe(undefined)
  })

  it('is asked for when there are several; the newest is shown meanwhile', () => {
    const member = choose([entry('old.csv', 1), entry('new.csv', 3), entry('mid.csv', 2)])
    expect(member.entry.path).toBe('new.csv')
    expect(member.candidates).toHaveLength(3)
    expect(noteOf(member)).toMatchObject({
      message:
        '“new.csv” is shown; the archive also has “old.csv” and “mid.csv”. A sync reads none of them until one is chosen.',
      setting: 'member',
    })
  })

  it('is asked for when there are several pages, and nothing else', () => {
    const paths = ['stock.htm', 'stock_files/filelist.xml', 'stock_files/sheet001.htm']
    expect(choose(paths).candidates.map(({ path }) => path)).toEqual([paths[0], paths[2]])
    expect(choose([...paths, 'stock.csv']).candidates.map(({ path }) => path)).toEqual([
      'stock.csv',
    ])
    expect(choose([...paths, 'stock.csv'], '*sheet001.htm').entry.path).toBe(paths[2])
  })

  it('is the newest of those that fit the choice, with or without their folder', () => {
    const paths = ['in/stock-1.csv', 'in/stock-2.csv', 'in/prices.csv']
    expect(choose(paths, 'in/prices.csv').entry.path).toBe('in/prices.csv')
    expect(choose(paths, 'PRICES.csv').entry.path).toBe('in/prices.csv')
    expect(choose(paths, 'stock-*.csv').entry.path).toBe('in/stock-2.csv')
    expect(choose([entry('a1.csv', 9), entry('a2.csv', 1)], 'a*').entry.path).toBe('a1.csv')
  })

  it('is refused with the names when nothing fits the choice, or may be a table', () => {
    expect(() => choose(['a.csv'], 'b.csv')).toThrow(
      'No file of the archive fits the chosen “b.csv”. It has “a.csv”.',
    )
    expect(() => choose(['a.pdf', 'b/', 'readme.txt'])).toThrow(
      'The archive has no file that may be a table. It has “a.pdf” and “readme.txt”.',
    )
    expect(() => choose([])).toThrow('The archive has no file that may be a table. It has none.')
  })
})
