import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { listPaths } from './server/testing/fixtures/list-paths'

/** Retired words of docs/glossary.md: what they look like in a name, and the names in which they are right. */
const RETIRED: Record<string, { word: RegExp; except?: RegExp }> = {
  feed: {
    word: /feed/i,
    // Files at feed addresses, the events of the API that have the word, and feedback.
    except:
      /feed-?(?:address|back|delta|file|format|route|version|example|request|token|path)|feeds\.(?:test\.)?ts$|registerFeeds|ofFeed|onFeed/i,
  },
  profile: { word: /profile/i, except: /company-?profile|updateProfile|profiler/i },
  viewing: { word: /viewing/i },
  delivery: { word: /deliver(?:y|ies)/i, except: /delivery-?(?:preferences|fields)/i },
  difference: { word: /difference/i, except: /schema-?difference|row-?difference/i },
  'held by': { word: /held-?by/i },
}

/** Names of migrations are stored in databases. */
const STORED = /\/db\/migrations\//
const DECLARED =
  /^\s*(?:export )?(?:(?:async )?(?:function\*?|type|interface|class) (\w+)|const (\w+) = (?:async )?(?:<|\([^)]*\)(?:: [^=]+)? =>))/gm

const files = listPaths('src', 'scripts', 'tools').filter(
  (path) => /\.(?:tsx?|mjs|css)$/.test(path) && !STORED.test(path),
)
const declared = files
  .filter((path) => !path.endsWith('.css'))
  .flatMap((path) => {
    const names = [...readFileSync(path, 'utf8').matchAll(DECLARED)]
    return names.map(([, name, arrow = '']) => ({ path, name: name ?? arrow }))
  })

it.each(Object.entries(RETIRED))('“%s” stands in no name', (_word, { word, except }) => {
  const isRetired = (name: string) => word.test(name) && !except?.test(name)
  const inFiles = files.filter((path) => isRetired(path.split('/').at(-1) ?? ''))
  const inNames = declared.filter(({ name }) => isRetired(name))
  expect([...inFiles, ...inNames]).toEqual([])
})

it('retired words are those of docs/glossary.md', () => {
  const [, retired = ''] = readFileSync('docs/glossary.md', 'utf8').split('## Retired words')
  const words = [...retired.matchAll(/^\| ([a-z ]+?) +\|/gm)].map(([, word]) => word)
  expect(words.slice(1)).toEqual(Object.keys(RETIRED))
})
