import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'

import { describe, expect, it } from 'vitest'

import { listPaths } from './server/testing/fixtures/list-paths'

/** An import: the importing file, its target, and whether it imports types only. */
type Import = { file: string; target: string; isType: boolean }

type Rule = {
  rule: string
  /** The files that the rule applies to. */
  in: RegExp
  /** Whether the rule applies to test code, instead of to all other code. */
  isForTests?: true
  /** Forbidden targets: files by path from `src`, packages by name. */
  never: RegExp
  except?: (line: Import) => boolean
}

const TEST_CODE = /\.test\.tsx?$|\.contract\.ts$|\/testing\//

/** Business rules: files in `domain` and `features` other than routers, queries and jobs. */
const RULES = /^server\/(?:domain|features)\/(?!.*\.(?:router|queries|job)$)/
const QUERIES = /^server\/db\/|\.queries$/

const rules: Rule[] = [
  { rule: 'shared imports only zod and itself', in: /^shared\//, never: /^(?!shared\/|zod$)/ },
  {
    rule: 'the client imports no server code except the router’s type',
    in: /^client\//,
    never: /^server\//,
    except: (line) =>
      line.isType && line.target === 'server/api/router' && line.file === 'client/trpc.ts',
  },
  { rule: 'the client imports no Node modules', in: /^client\//, never: /^node:/ },
  { rule: 'the server imports no client code', in: /^server\//, never: /^client\// },
  {
    rule: 'components and lib import neither data access nor features',
    in: /^client\/(?:components|lib)\//,
    never: /^client\/(?:features|pages|layout|session|router|trpc|app|main)/,
  },
  {
    rule: 'a feature imports no page and no layout',
    in: /^client\/features\//,
    never: /^client\/(?:pages|layout|router|app|main)/,
  },
  {
    rule: 'only the router imports pages',
    in: /^client\/(?!router|pages\/)/,
    never: /^client\/pages\//,
  },
  {
    rule: 'queries and the database import only Kysely, shared and each other',
    in: QUERIES,
    never:
      /^server\/(?!db\/|concurrency\/|process\/|.*\.queries$)|^(?:fastify|@trpc\/|bullmq|ioredis)/,
  },
  {
    rule: 'files imports no database, web server or rules',
    in: /^server\/files\//,
    never:
      /^server\/(?!files\/|concurrency\/|process\/|storage\/scratch-file$)|^(?:fastify|@trpc\/|kysely|better-sqlite3|bullmq|ioredis)/,
  },
  {
    rule: 'files outside sources imports only sources/fetch-source',
    in: /^server\/files\/(?!sources\/)/,
    never: /^server\/files\/sources\/(?!fetch-source$)/,
    except: ({ isType }) => isType,
  },
  {
    rule: 'the rules read files through their port',
    in: RULES,
    never:
      /^server\/files\/(?:fetch\/(?!address-rules|host-gate|minimum-speed)|sources\/|ingest$|preview$|filter$|children\/)/,
    except: ({ isType }) => isType,
  },
  {
    rule: 'identity providers know no accounts',
    in: /^server\/identity\//,
    never: /^server\/(?!identity\/|domain\/errors$|web-address$)|^(?:fastify|@trpc\/|kysely)/,
  },
  {
    rule: 'publishing knows no syncs, because a file arrives in other ways too',
    in: /^server\/features\/publication\/publishing\//,
    never: /^server\/features\/publication\/syncs\//,
  },
  {
    rule: 'the rules import no web server, queue driver or file system',
    in: RULES,
    never:
      /^(?:fastify|@fastify\/|@trpc\/|bullmq|ioredis|better-sqlite3|kysely)|^node:fs|^server\/(?:http|trpc|start|app$|deps$|drivers$|wire$)/,
  },
  {
    rule: 'domain imports only types from features',
    in: /^server\/domain\//,
    never: /^server\/features\//,
    except: ({ isType }) => isType,
  },
  {
    rule: 'the rules use ports, not their drivers',
    in: RULES,
    never: /queue-|snapshots-|(?:file|backup)-store-|identity-provider-|mailer-|db\/migrat/,
  },
  {
    rule: 'jobs import only rules and the job definition',
    in: /\.job$/,
    never: /^server\/(?!domain\/|features\/|queue\/define-job$)|\.(?:queries|router)$/,
  },
  {
    rule: 'procedures import only rules',
    in: /^server\/(?:trpc\/|api\/[^/]+$)|\.router$/,
    never: /^server\/(?!trpc\/|domain\/|features\/|api\/)|\.queries$|^(?:fastify|kysely)/,
  },
  {
    rule: 'the web server reaches the database only through the rules',
    in: /^server\/(?:api|http)\//,
    never: /^server\/(?:files|queue|storage|db)\/|\.queries$/,
    except: ({ file }) => /session-store|health/.test(file),
  },
  {
    rule: 'drivers are imported only by their own adapters',
    in: /^server\/(?!.*(?:db\/(?:open|sqlite\/(?:sqlite-driver|sql-worker|checkpoint-worker|database-lock)|postgres\/postgres-pool|postgres\/snapshots-postgres)|queue-bullmq|inspect-redis|metrics-prometheus|observability\/(?:telemetry-otlp|otlp-metrics)|identity-provider-oidc|mailer-smtp|s3\/(?:access|bucket|put-objects)|files\/presign-s3)$)/,
    never:
      /^(?:@aws-sdk\/.*|better-sqlite3|bullmq|ioredis|nodemailer|openid-client|pg|@prometheus-io\/client|@opentelemetry\/.*)$/,
  },
  {
    rule: 'adapters are chosen only in drivers.ts',
    in: /^server\/(?!drivers$|storage\/(?:open-(?:file|backup)-store|s3\/upload-files)$|restore\/restore-(?:staging|database)$)/,
    never:
      /\/(?:queue-(?:embedded|bullmq)|(?:file|backup)-store-disk|(?:file|backup)-store-s3|snapshots-(?:sqlite|postgres)|open-postgres|metrics-prometheus|identity-provider-oidc|mailer-smtp)$/,
  },
  {
    rule: 'tests of rules call the rules, and start no web server',
    in: /^server\/(?:features|domain|db|files)\//,
    isForTests: true,
    never: /^server\/testing\/stages\/(?:test-app|world)$/,
  },
]

const imports = listSources('src').flatMap(readImports)
/** Those of programs beside the product, by paths from `src` as well. */
const beside = ['scripts', 'tools', 'deploy'].flatMap(listSources).flatMap(readImports)

describe('import directions', () => {
  it.each(rules)('$rule', ({ in: files, isForTests = false, never, except }) => {
    const broken = imports.filter(
      (line) =>
        files.test(withoutEnding(line.file)) &&
        never.test(line.target) &&
        isTestCode(line.file) === isForTests &&
        !except?.(line),
    )
    expect(broken).toEqual([])
  })

  it('do not lead from one client feature to another', () => {
    const featureOf = (path: string) => /^client\/features\/([^/]+)/.exec(path)?.[1]
    const broken = imports.filter(({ file, target }) => {
      const [from, to] = [featureOf(file), featureOf(target)]
      return from !== undefined && to !== undefined && from !== to
    })
    expect(broken).toEqual([])
  })

  it('lead from a wing of the server only to wings below it', () => {
    const wings = [...readWings().keys()]
    const floorOf = (path: string) =>
      wings.indexOf(/^server\/features\/([^/]+)/.exec(path)?.[1] ?? '')
    const upward = imports.filter(({ file, target }) => {
      const [from, to] = [floorOf(file), floorOf(target)]
      return to !== -1 && to < from && !isTestCode(file)
    })
    expect(upward).toEqual([])
  })

  it('have no cycles between the nouns of the server', () => {
    const nounOf = (path: string) => /^server\/features\/([^/]+\/[^/]+)\//.exec(path)?.[1]
    const edges = new Map<string, Set<string>>()
    for (const { file, target } of imports) {
      const [from, to] = [nounOf(file), nounOf(target)]
      // Routers may serve several nouns, and queries are leaves.
      const isRule = from && to && from !== to && !file.endsWith('.router.ts')
      if (!isRule || target.endsWith('.queries') || isTestCode(file)) continue
      edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
    expect([...edges.keys()].filter((noun) => reaches(edges, noun, noun))).toEqual([])
  })

  it('are described for every wing and noun of the server', () => {
    const folders = readdirSync('src/server/features').map(
      (wing) => [wing, readdirSync(join('src/server/features', wing)).toSorted()] as const,
    )
    expect(Object.fromEntries(readWings())).toEqual(Object.fromEntries(folders))
  })

  it('have no cycles between files, type imports included', () => {
    const edges = new Map<string, Set<string>>()
    for (const { file, target } of [...imports, ...beside]) {
      const [from, to] = [withoutEnding(file), withoutEnding(target)]
      edges.set(from, (edges.get(from) ?? new Set()).add(to))
    }
    expect([...edges.keys()].filter((file) => reaches(edges, file, file))).toEqual([])
  })

  /** What programs load: neither types nor tests. */
  function readLoaded() {
    const edges = new Map<string, Set<string>>()
    for (const { file, target, isType } of imports) {
      if (isType || isTestCode(file)) continue
      const from = withoutEnding(file)
      edges.set(from, (edges.get(from) ?? new Set()).add(target))
    }
    return edges
  }

  it('lead from the process of the inbox to no database, no rule and no secret', () => {
    const edges = readLoaded()
    const foreign =
      /^server\/(?:db|features|secrets|storage|queue|identity|observability|http|trpc|api)\/|^(?:kysely|better-sqlite3|pg|bullmq|ioredis)$/
    const files = [...new Set([...edges].flatMap(([from, to]) => [from, ...to]))]
    const reached = (entry: string) =>
      files.filter((file) => foreign.test(file) && reaches(edges, `server/inbox/${entry}`, file))
    expect(reached('inbox')).toEqual([])
    expect(reached('inbox-process')).not.toEqual([])
  })

  it('lead from a program that fetches to nothing that reads tables', () => {
    const edges = readLoaded()
    const readsTables = (file: string) =>
      /^server\/files\/(?:read|keys|tasks|shop-formats|gone|comparison)\//.test(file)
    const files = [...edges.keys()].filter(readsTables)
    const reached = (entry: string) =>
      files.filter((file) => reaches(edges, `server/files/children/${entry}`, file))
    expect(reached('fetcher/fetcher')).toEqual([])
    expect(reached('reader/reader')).not.toEqual([])
  })

  it('do not lead from the product to tools', () => {
    const broken = [...imports, ...beside].filter(
      ({ file, target }) =>
        target.startsWith('../tools/') && !file.startsWith('../tools') && !isTestCode(file),
    )
    expect(broken).toEqual([])
  })

  it('let only the queries of its owner write a table', () => {
    const owners = readTableOwners()
    const writers = listSources('src/server')
      .filter((file) => !isTestCode(file) && !file.startsWith('server/db/'))
      .flatMap((file) => {
        const text = readFileSync(join('src', file), 'utf8')
        const writes = text.matchAll(/\.(?:insertInto|updateTable|deleteFrom)\('(\w+)'/g)
        return [...writes].map(([, table = '']) => ({ file, table }))
      })
    expect(writers.length).toBeGreaterThan(20)
    const strangers = writers.filter(
      ({ file, table }) =>
        !file.startsWith(`server/${owners.get(table)}/`) || !file.endsWith('.queries.ts'),
    )
    expect(strangers).toEqual([])
  })

  it('leave the stored form of columns to the codec', () => {
    const coded = /\bis[A-Z]\w* [!=]== [01]\b|\? 1 : 0\b|\bJSON\.(?:parse|stringify)\b|\b\w+Json\b/
    const rulesAndQueries = listSources('src/server').filter(
      (file) => /^server\/(?:domain|features)\//.test(file) && !isTestCode(file),
    )
    const found = rulesAndQueries.flatMap((file) => {
      const lines = readFileSync(join('src', file), 'utf8').split('\n')
      return lines.filter((line) => coded.test(line)).map((line) => ({ file, line }))
    })
    expect(found).toEqual([])
  })

  it('leave process.env to config.ts', () => {
    const readers = listSources('src').filter(
      (file) =>
        !isTestCode(file) && readFileSync(join('src', file), 'utf8').includes('process.env'),
    )
    // A fetcher is told by config.ts in its environment what others must not see among its arguments.
    expect(readers).toEqual(['server/config.ts', 'server/files/children/fetcher/fetcher.ts'])
  })

  it('leave Date.now() to the clock', () => {
    const readers = listSources('src/server').filter(
      (file) => !isTestCode(file) && readFileSync(join('src', file), 'utf8').includes('Date.now()'),
    )
    expect(readers).toEqual(['server/drivers.ts', 'server/files/children/fetcher/fetcher.ts'])
  })
})

function isTestCode(file: string): boolean {
  return TEST_CODE.test(file) || file.startsWith('e2e/')
}

function reaches(edges: Map<string, Set<string>>, from: string, goal: string): boolean {
  const seen = new Set<string>()
  const waiting = [...(edges.get(from) ?? [])]
  for (let noun = waiting.pop(); noun !== undefined; noun = waiting.pop()) {
    if (noun === goal) return true
    if (seen.has(noun)) continue
    seen.add(noun)
    waiting.push(...(edges.get(noun) ?? []))
  }
  return false
}

/** The wings of the server and their nouns, top first, from the picture in docs/architecture.md. */
function readWings(): Map<string, string[]> {
  const [, picture = ''] = readFileSync('docs/architecture.md', 'utf8').split('```')
  const wings = picture.matchAll(/^│ (\w+) .*\n((?:│ {2,}.*\n)+)/gm)
  return new Map(
    [...wings].map(([, wing = '', nouns = '']) => [
      wing,
      [...nouns.matchAll(/[\w-]+/g)].map(([noun]) => noun).toSorted(),
    ]),
  )
}

/** The folder that owns each table, from docs/architecture.md. */
function readTableOwners(): Map<string, string> {
  const text = readFileSync('docs/architecture.md', 'utf8')
  const rows = text.matchAll(/^\| `(domain|features\/[\w/-]+)` +\| (`\w+`(?:, `\w+`)*) +\|$/gm)
  return new Map(
    [...rows].flatMap(([, folder = '', tables = '']) =>
      [...tables.matchAll(/\w+/g)].map(([table]) => [table, folder] as const),
    ),
  )
}

/** Files of code below `folder`, as paths relative to `src`. */
function listSources(folder: string): string[] {
  return listPaths(folder)
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && path !== 'src/architecture.test.ts')
    .map((path) => relative('src', path))
    .toSorted()
}

const withoutEnding = (path: string) => path.replace(/\.(?:tsx?|mjs)$/, '')

function readImports(file: string): Import[] {
  const text = readFileSync(join('src', file), 'utf8')
  const lines = text.matchAll(
    /^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'([^']+)'|import\('([^']+)'\)/gm,
  )
  return [...lines].map(([, type, from, dynamic]) => {
    const name = from ?? dynamic ?? ''
    const target = name.startsWith('.') ? normalize(join(dirname(file), name)) : name
    return { file, target, isType: type !== undefined }
  })
}
