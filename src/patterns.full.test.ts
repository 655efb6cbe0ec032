import { readFileSync } from 'node:fs'

import { check } from 'recheck'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'

import { listPaths } from './server/testing/fixtures/list-paths'

type Literal = { pattern: string; flags: string }

/** Tests and tools of development only parse their own data. */
const OWN_DATA = /\.test\.tsx?$|\.contract\.ts$|\/testing\/|^src\/e2e\//

describe('regular expressions', () => {
  it('match in linear time', async () => {
    const slow: string[] = []
    for (const file of listSources()) {
      for (const literal of readLiterals(file)) {
        if (await isSlow(literal)) slow.push(`${file}: ${literal.pattern}`)
      }
    }
    expect(slow).toEqual([])
  }, 300_000)

  it.each([
    [String.raw`^(\S+@\S+\.\S+)$`, 'adjacent quantifiers that match the same text'],
    [String.raw`^(?:a+)+$`, 'a quantifier of a quantifier'],
    [String.raw`\s*\n`, 'a prefix that is retried at every character'],
    [String.raw`^(?:a|aa)+$`, 'alternatives that match the same text'],
  ])('like %s are detected as slow: %s', async (pattern) => {
    expect(await isSlow({ pattern, flags: '' })).toBe(true)
  })
})

/** Without one of these, each attempt to match reads a bounded number of characters. */
const UNBOUNDED = /[*+]|\{\d+,\}/

/** The number of characters that are read decides, and not the time, which other work takes as well. */
const WITHOUT_TIMES = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  seedingTimeout: null,
}

/** Whether matching can take more than linear time for some text. */
async function isSlow({ pattern, flags }: Literal): Promise<boolean> {
  if (!UNBOUNDED.test(pattern)) return false
  return (await check(pattern, flags, WITHOUT_TIMES)).status !== 'safe'
}

function listSources(): string[] {
  return listPaths('src', 'scripts')
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !OWN_DATA.test(path))
    .toSorted()
}

function readLiterals(file: string): Literal[] {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file} cannot be parsed`)
  const literals: Literal[] = []
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return
    if ('regex' in node) literals.push(node.regex as Literal)
    for (const child of Object.values(node)) visit(child)
  }
  visit(program)
  return literals
}
