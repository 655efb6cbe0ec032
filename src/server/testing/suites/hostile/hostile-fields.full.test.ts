import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import { MINUTE_MS } from '../../../../shared/durations'
import { makeSample } from '../../fixtures/samples'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { addressOf, inputOf, readFieldPaths, writeCalls } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { DEEP, HUGE, judge, JSON_TYPE, refused, toJson } from './hostile'

type Kind = 'id' | 'ids' | 'text' | 'number' | 'flag' | 'list' | 'object'
/** Values of a wrong type, by kind of field. */
const WRONG: Record<Kind, unknown[]> = {
  id: [0, -1, 1.5, '1', '', true, [1], { id: 1 }, HUGE, 9_007_199_254_740_992, DEEP],
  ids: ['x', 5, true, {}, ['1'], [0], [1.5], [null], [{}], [[1]], [HUGE], DEEP],
  text: [5, true, ['x'], { x: 1 }, HUGE, DEEP],
  number: ['10', '', 'NaN', true, [10], {}, 1.5, -1, HUGE, 9_007_199_254_740_992, DEEP],
  flag: ['false', 'true', '', 0, 1, [], {}, DEEP],
  list: ['x', 5, true, {}, [5], [null], [{}], [['x']], DEEP],
  object: ['x', 5, true, [], ['x'], DEEP],
}

const LONE = '\uD83D'
const INVALID_NAMES = ['', '   ', 'a\u0000b', 'a\nb', 'a\u202Eb', `a${LONE}`, 'x'.repeat(201)]
const INVALID_PASSWORDS = ['', '12345', 'x'.repeat(257), `horse ${LONE}`, `\uDC00 horse`]
const INVALID_URLS = [
  '',
  'javascript:alert(1)',
  'data:text/html,hello',
  'file:///etc/passwd',
  'ftp://shop.example/',
  '//evil.example/',
  'http://',
  'https://user:secret@shop.example/',
  'https://shop.example/\u202Emoc',
  'https://shop.example/\u0000',
  'https://shop.example/\r\nX: y',
  `https://shop.example/${'x'.repeat(2_048)}`,
]

/** A user name in the address of a source is taken out of it, and servers of files are sources too. */
const INVALID_SOURCES = [
  ...INVALID_URLS.filter((url) => !url.includes('user:secret')),
  'https://:secret@shop.example/',
  'sftp://shop.example/',
  'sftp:///stock.csv',
  'sftp://[fe80::1%25eth0]/stock.csv',
  'sftp://shop.example:70000/stock.csv',
  'sftp://shop.example/*/stock.csv',
  'sftp://shop.example/a%0d%0aDELE%20b',
  'ftp://shop.example\\@evil.example/stock.csv',
]

/** A folder is where files are sent to; with a `*` it would be several. */
const INVALID_TARGETS = [
  ...INVALID_SOURCES.filter((url) => !/^s?ftp:\/\/shop\.example\/$/.test(url)),
  'sftp://shop.example/stock_*.csv',
  'https://docs.google.com/spreadsheets/d/abc/edit',
]

/** Values of the right type that a field refuses. */
const INVALID: Record<string, unknown[]> = {
  username: ['', '   ', 'a\u0000b', 'a\nb', 'a\u007Fb', 'a\u202Eb', `a${LONE}`, 'x'.repeat(101)],
  password: INVALID_PASSWORDS,
  newPassword: INVALID_PASSWORDS,
  currentPassword: ['', 'x'.repeat(1_001)],
  role: ['', 'supplier', 'ADMIN', '__proto__', 'constructor'],
  companyName: INVALID_NAMES.slice(1),
  contactEmail: [
    'x',
    'a@',
    '@b.c',
    'a b@c.de',
    'a@b',
    `${'x'.repeat(250)}@b.cd`,
    'a@b.cd\r\nBcc: x',
  ],
  storeName: INVALID_NAMES,
  storeUrl: INVALID_URLS.slice(1),
  url: INVALID_URLS,
  'connections.url': INVALID_SOURCES,
  'destinations.url': INVALID_TARGETS,
  'mergedDestinations.url': INVALID_TARGETS,
  connectionType: ['', 'url', 'FTP', 'EMAIL', 'DATABASE', '__proto__', 'toString'],
  type: ['', 'url', 'FTP', 'EMAIL', 'DATABASE', '__proto__', 'toString'],
  fileFormat: ['', 'csv', 'EXCEL', 'XML', '__proto__', 'valueOf'],
  name: INVALID_NAMES,
  fileName: ['x'.repeat(201)],
  column: ['', 'x'.repeat(1_001)],
  auth: [
    {},
    { type: '__proto__' },
    { type: 'basic' },
    { type: 'basic', username: 'a:b', password: 'x' },
    { type: 'basic', username: 'a\u0000b', password: 'x' },
    { type: 'basic', username: 'a', password: `x${LONE}` },
    { type: 'bearer', token: 5 },
    { type: 'bearer', token: 'two words' },
    { type: 'bearer', token: 'x'.repeat(4_097) },
    { type: 'header', name: 'Host', value: 'evil.example' },
    { type: 'header', name: 'X-Key\r\nX-Other', value: 'x' },
    { type: 'header', name: 'X-Key', value: 'x\r\nX-Other: y' },
  ],
  pathSeparator: ['', '|', '__proto__'],
  listSeparator: ['', '>', '__proto__'],
  // At sign-in any name is valid input: one that does not exist is a failed login.
  'session.login.username': ['', '   ', 'x'.repeat(1_001)],
  'passkeys.signIn.username': ['', '   ', 'x'.repeat(1_001)],
  'session.login.password': ['', 'x'.repeat(1_001)],
  'secondFactor.turnOn.password': ['', 'x'.repeat(1_001)],
  'secondFactor.turnOff.password': ['', 'x'.repeat(1_001)],
  'secondFactor.renewCodes.password': ['', 'x'.repeat(1_001)],
  'cronJobs.name': ['', 'x'.repeat(101)],
}

type FieldCase = { path: string[]; kind: Kind; isNullable: boolean }

/** The fields of a schema with their kinds, including nested ones. */
function listFields(schema: z.ZodType | undefined, path: string[]): FieldCase[] {
  const { shape = {} } = (schema ?? {}) as { shape?: Record<string, z.ZodType> }
  return Object.entries(shape).flatMap(([name, field]) => {
    const isNullable = field.safeParse(null).success
    const here = [...path, name]
    const inner = unwrap(field)
    return [{ path: here, kind: kindOf(here, inner), isNullable }, ...listFields(inner, here)]
  })
}

function kindOf(path: string[], schema: z.ZodType): Kind {
  if (/^(?:id|\w+Id)$/.test(path.at(-1)!)) return 'id'
  if (path.at(-1) === 'ids') return 'ids'
  if (schema instanceof z.ZodNumber) return 'number'
  if (schema instanceof z.ZodBoolean) return 'flag'
  if (schema instanceof z.ZodArray) return 'list'
  if (schema instanceof z.ZodObject || schema instanceof z.ZodDiscriminatedUnion) return 'object'
  const isFormat = schema instanceof z.ZodStringFormat
  if (isFormat || schema instanceof z.ZodString || schema instanceof z.ZodEnum) return 'text'
  throw new Error(`There are no wrong values for ${path.join('.')}`)
}

/** The schema inside optional, nullable, default and transforming wrappers. */
function unwrap(schema: z.ZodType): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault
  if (isWrapped) return unwrap(schema.unwrap() as z.ZodType)
  if (!(schema instanceof z.ZodPipe)) return schema
  return unwrap((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType)
}

const PASSKEY = {
  id: 'A'.repeat(22),
  rawId: 'A'.repeat(22),
  type: 'public-key',
  response: { clientDataJSON: '', attestationObject: '', authenticatorData: '', signature: '' },
}

/** Valid values for the objects around nested fields. */
const AROUND: Record<string, object> = {
  visibilitySettings: { allProducts: false, categories: ['Hats'] },
  config: { url: 'https://feeds.example/inventory.csv' },
  categoryReading: { column: 'category', pathSeparator: '>', listSeparator: null },
  records: { path: ['products'] },
  removal: { column: 'action', value: 'delete' },
  priceRules: { tiers: [{ from: '0', percent: '10' }] },
  overlay: { url: 'https://feeds.example/stock.csv' },
  graceDays: { SUPER_ADMIN: null, SUPPLIER: null, RETAILER: null },
  made: PASSKEY,
  answer: PASSKEY,
  response: PASSKEY.response,
}

function withField(body: object, [name = '', ...rest]: string[], value: unknown): object {
  if (rest.length === 0) return { ...body, [name]: value }
  return { ...body, [name]: withField(AROUND[name] ?? {}, rest, value) }
}

let sourceServer: SourceServer
let world: World

beforeAll(async () => {
  sourceServer = await startSourceServer()
})
afterAll(() => sourceServer.close())

/** Without path parameters of REST routes, which `hostile-addresses.test.ts` tests. */
const calls = writeCalls.flatMap((call) => {
  const fields = listFields(inputOf(call.row), []).filter(
    ({ path }) => call.transport === 'tRPC' || !call.row.route!.includes(`:${path[0]}`),
  )
  return fields.length > 0 ? [{ ...call, fields }] : []
})

describe.each(calls)('$name over $transport', ({ transport, row, actor, fields }) => {
  beforeAll(async () => {
    world = await openWorld(sourceServer)
  })
  afterAll(() => world.testApp.close())
  beforeEach(async () => {
    // Calls of a user are limited by the minute; the first one after it renews the session.
    const { clock, db } = world.testApp.deps
    clock.advance(MINUTE_MS)
    await world.clients[actor].request('GET', '/api/user')
    // Everybody has confirmed to be there.
    await db.updateTable('sessions').set({ confirmedAt: clock.now() }).execute()
  })

  /** The actual and expected outcomes of the call with each of the values. */
  async function send(path: string[], values: unknown[]) {
    const verdicts: unknown[] = []
    // A refused call changes nothing, so that one sample serves for all of them.
    const { method, url, body } = addressOf(transport, row, await makeSample(row, world, actor))
    for (const value of values) {
      const text = toJson(withField(body ?? {}, path, value))
      const client = world.clients[actor]
      const call = () => client.request(method, url, text, JSON_TYPE)
      verdicts.push([nameValue(value), await judge(world, transport, call)])
    }
    return { verdicts, expected: values.map((value) => [nameValue(value), refused(400)]) }
  }

  const cases = fields.map((field) => ({ ...field, field: field.path.join('.') }))

  it.each(cases)('refuses a $field of another type', async ({ path, kind, isNullable }) => {
    const { verdicts, expected } = await send(path, [...WRONG[kind], ...(isNullable ? [] : [null])])
    expect(verdicts).toEqual(expected)
  })

  const texts = cases.flatMap(({ path, field }) => {
    const values = invalidValues(row.procedure!, path.at(-1)!)
    return values ? [{ path, field, values }] : []
  })

  it.each(texts)('refuses an invalid $field', async ({ path, values }) => {
    const { verdicts, expected } = await send(path, values)
    expect(verdicts).toEqual(expected)
  })

  const named = transport === 'tRPC' ? cases : []

  it.each(named)('names $field in the error when it is wrong', async ({ path, field, kind }) => {
    const [value] = WRONG[kind]
    const { method, url, body } = addressOf(transport, row, await makeSample(row, world, actor))
    const sent = { ...withField(body ?? {}, path, value), unknown: value }
    const paths = readFieldPaths(await world.clients[actor].request(method, url, sent))
    const isInField = (other: string) => other === field || other.startsWith(`${field}.`)
    expect(paths).not.toEqual([])
    expect(paths.filter(isInField)).toEqual(paths)
  })
})

const nameValue = (value: unknown) => (JSON.stringify(value) ?? '').slice(0, 60)

/** The invalid values for a field: of this procedure, of its noun, or of any field of this name. */
function invalidValues(procedure: string, field: string): unknown[] | undefined {
  const [noun] = procedure.split('.')
  return INVALID[`${procedure}.${field}`] ?? INVALID[`${noun}.${field}`] ?? INVALID[field]
}
