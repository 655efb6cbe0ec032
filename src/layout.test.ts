import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { expect, it } from 'vitest'

import { listPaths } from './server/testing/fixtures/list-paths'

/** Kinds of files that are known by their names: no file of a kind is outside its folder. */
const KINDS: Record<string, { name: RegExp; folder: RegExp }> = {
  'a cron job': { name: /-task\.ts$/, folder: /^src\/server\/features\// },
  'a migration': { name: /^\d{4}-[\w-]+\.ts$/, folder: /^src\/server\/db\/migrations$/ },
  'a call': { name: /\.router\.ts$/, folder: /^src\/server\/(?:api|features\/[\w-]+\/[\w-]+)$/ },
  'a job': { name: /\.job\.ts$/, folder: /^src\/server\/features\/[\w-]+\/[\w-]+$/ },
  'statements of SQL': {
    name: /\.queries\.ts$/,
    folder: /^src\/server\/(?:db|domain|features\/[\w-]+\/[\w-]+)$/,
  },
  'a page': { name: /\.page\.tsx$/, folder: /^src\/client\/pages$/ },
  'a test of the built product': {
    name: /\.e2e\.ts$/,
    folder: /^src\/(?:e2e\/(?:screens|processes)|server\/testing\/suites\/growth)$/,
  },
}

const files = listPaths('src', 'scripts', 'tools', 'deploy')

/** Change, folder and a file of its kind, from docs/architecture.md. */
const changes = [
  ...readFileSync('docs/architecture.md', 'utf8').matchAll(
    /^\| (\w[^|]+?) +\| `([^`]+)` +\| `([^`]+\.tsx?)` +\|[^|]*\|$/gm,
  ),
].map(([, change = '', folder = '', like = '']) => [change, folder, like] as const)

it('the table of changes is read', () => {
  expect(changes.length).toBeGreaterThanOrEqual(18)
})

it.each(changes)('%s goes into %s', (_change, folder, like) => {
  expect(files).toContain(join(folder, like))
})

it.each(Object.entries(KINDS))('%s is in its folder only', (_kind, { name, folder }) => {
  const ofKind = files.filter((path) => name.test(path.split('/').at(-1) ?? ''))
  expect(ofKind).not.toEqual([])
  expect(ofKind.filter((path) => !folder.test(dirname(path)))).toEqual([])
})
