import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { z } from 'zod'

import { type GrowthCase, schema } from './case'
import { contentCases } from './content-cases'
import { dialectCases } from './dialect-cases'
import { fileCases } from './file-cases'
import { httpCases } from './http-cases'
import { keyCases } from './key-cases'
import { scanCases } from './scan-cases'
import { sharedCases } from './shared-cases'
import { shopFormatCases } from './shop-format-cases'
import { sourceCases } from './source-cases'

/** Folders whose files parse, validate or display untrusted text. */
const FOLDERS = [
  'server/files',
  'server/files/comparison',
  'server/files/fetch',
  'server/files/gone',
  'server/files/keys',
  'server/files/shop-formats',
  'server/files/read',
  'server/files/read/encoding',
  'server/files/read/dialect',
  'server/files/read/scan',
  'server/files/read/table',
  'server/files/read/quantities',
  'server/files/read/categories',
  'server/files/sources',
  'shared',
  'shared/schemas',
  'server/http',
  'server/http/api',
  'server/http/files',
  'server/http/guards',
  'server/http/sessions',
]
const FILES = [
  'server/api/api-routes',
  'server/api/feed-routes',
  'server/api/file-format',
  'server/files/children/lines',
  'server/files/children/messages',
  'server/identity/claims',
  'server/mail/mailbox',
  'server/features/catalogue/versions/category-index',
  'server/features/catalogue/versions/category-pages',
  'client/lib/column-widths',
  'client/lib/list-view',
]

const below = (folder: string, cases: typeof fileCases) =>
  Object.fromEntries(Object.entries(cases).map(([file, known]) => [`${folder}/${file}`, known]))

const CASES = {
  ...below('server/files', fileCases),
  ...below('server/files', contentCases),
  ...below('server/files', dialectCases),
  ...below('server/files', keyCases),
  ...below('server/files', shopFormatCases),
  ...below('server/files', scanCases),
  ...below('server/files', sourceCases),
  ...below('server', httpCases),
  ...sharedCases,
}

const src = fileURLToPath(new URL('../../../..', import.meta.url))

/** An export, named by file below `src` and name. `growthCase` is undefined when it is missing. */
export interface Subject {
  name: string
  growthCase: GrowthCase | undefined
}

/** Every exported function and schema of the files. */
export async function listSubjects(): Promise<Subject[]> {
  const files = [...FOLDERS.flatMap(listFiles), ...FILES]
  const subjects = await Promise.all(
    files.map(async (file) => {
      const exported = Object.entries(
        (await import(pathToFileURL(join(src, `${file}.ts`)).href)) as Record<string, unknown>,
      )
      return exported.flatMap(([name, value]) => toSubject(file, name, value))
    }),
  )
  return subjects.flat()
}

/** The names of cases whose export no longer exists. */
export function listStaleCases(subjects: Subject[]): string[] {
  const names = new Set(subjects.map(({ name }) => name))
  return Object.entries(CASES)
    .flatMap(([file, known]) => Object.keys(known).map((name) => `${file} ${name}`))
    .filter((name) => !names.has(name))
}

function listFiles(folder: string): string[] {
  return readdirSync(join(src, folder))
    .filter((name) => /^[\w-]+\.ts$/.test(name))
    .map((name) => `${folder}/${name.slice(0, -'.ts'.length)}`)
}

function toSubject(file: string, name: string, value: unknown): Subject[] {
  const id = `${file} ${name}`
  if (value instanceof z.ZodType) return [{ name: id, growthCase: schema(value) }]
  if (typeof value !== 'function') return []
  return [{ name: id, growthCase: CASES[file]?.[name] }]
}
