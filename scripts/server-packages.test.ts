import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'

import { createBuilder } from 'vite'
import { beforeAll, describe, expect, it } from 'vitest'

/** Of development, and imported by the demo alone, which says so when it is missing. */
const OF_THE_DEMO = ['oidc-provider']
/** Threads load them by name. */
const LOADED_BY_NAME = new Set(['pino-pretty'])

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>
}

describe('the built server', () => {
  let imported: Set<string>
  let code: string
  /** What each file loads with it. */
  let statically: Map<string, string[]>

  beforeAll(async () => {
    const builder = await createBuilder({
      configFile: 'vite.config.ts',
      logLevel: 'error',
      build: { write: false },
    })
    const built = await builder.build(builder.environments.server!)
    const { output } = [built].flat()[0] as { output: object[] }
    const chunks = output.filter((file) => 'imports' in file) as {
      fileName: string
      code: string
      imports: string[]
      dynamicImports: string[]
    }[]
    statically = new Map(chunks.map((chunk) => [chunk.fileName, chunk.imports]))
    const files = new Set(chunks.map(({ fileName }) => fileName))
    const names = chunks
      .flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports])
      .filter((name) => !files.has(name) && !isBuiltin(name))
    imported = new Set(names.map(toPackage))
    code = chunks.map((chunk) => chunk.code).join('\n')
  })

  it('loads the packages of OpenTelemetry only when a collector is to be told', () => {
    const loaded = (file: string, seen = new Set<string>()): Set<string> => {
      if (seen.has(file)) return seen
      seen.add(file)
      for (const next of statically.get(file) ?? []) loaded(next, seen)
      return seen
    }
    const isOfTelemetry = (name: string) => name.startsWith('@opentelemetry/')
    for (const program of ['main', 'web', 'worker', 'inbox', 'reader', 'fetcher', 'doctor']) {
      expect([program, [...loaded(`${program}.js`)].filter(isOfTelemetry)]).toEqual([program, []])
    }
    expect([...imported].filter(isOfTelemetry)).not.toEqual([])
  })

  it('imports no package of development', () => {
    const known = new Set([...Object.keys(dependencies), ...OF_THE_DEMO])
    expect([...imported].filter((name) => !known.has(name))).toEqual([])
  })

  it('imports all other packages, so that none is installed for nothing', () => {
    const used = (name: string) =>
      imported.has(name) || (LOADED_BY_NAME.has(name) && code.includes(`"${name}"`))
    expect(Object.keys(dependencies).filter((name) => !used(name))).toEqual([])
  })
})

/** The package of an import such as `@trpc/server/http`. */
function toPackage(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}
