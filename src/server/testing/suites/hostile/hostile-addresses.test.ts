import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { makeSample } from '../../fixtures/samples'
import { startSourceServer, type SourceServer } from '../../servers/source-server'
import { addressOf, apiCalls, callOver, inputOf } from '../../stages/transports'
import { openWorld, type World } from '../../stages/world'
import { judge, refused } from './hostile'

/** Invalid ids in a path. */
const INVALID_IDS = [
  '0',
  '01',
  '-1',
  '+1',
  '1.5',
  '1e3',
  '0x1',
  'abc',
  'NaN',
  'null',
  'true',
  '%20',
  '1%20',
  '1%00',
  '%0a1',
  '1%2f2',
  '1;2',
  '٣',
  '%F0%9F%90%8E',
  '..%2f1',
  '__proto__',
  '1'.repeat(17),
  '9'.repeat(300),
  '9007199254740993',
]
const INVALID_ID_VALUES = [0, -1, 1.5, '1', '', 'abc', null, true, [1], { id: 1 }, 2 ** 53]

/** Invalid or unknown names of files and jobs in a path. */
const INVALID_NAMES = [
  '..%2f..%2fapp.db',
  '%2e%2e%2fapp.db',
  '..%5c..%5capp.db',
  '..',
  '%2e',
  '%00',
  'inventory.csv%00.png',
  'a%0d%0aX-Injected:%20yes',
  '%22;filename=evil',
  '%2fetc%2fpasswd',
  'file:%2f%2f%2fetc%2fpasswd',
  'C:%5cWindows',
  '__proto__',
  'constructor',
  '*',
  '%25',
  '%F0%9F%90%8E',
  '%E2%80%AE',
  'x'.repeat(300),
  'x'.repeat(4_000),
]
const BROKEN_NAMES = ['%', '%zz', '%c0%af', '%ff', 'x'.repeat(5_001)]

let sourceServer: SourceServer
let world: World

beforeAll(async () => {
  sourceServer = await startSourceServer()
  world = await openWorld(sourceServer)
  // One minute of the clock has all calls of this file.
  const { limits } = world.testApp.deps
  limits.callsByUser = limits.testBackup = { max: Infinity, windowMs: 60_000 }
})
afterAll(async () => {
  await world.testApp.close()
  await sourceServer.close()
})

const restCalls = apiCalls.filter(({ transport }) => transport === 'REST')
const withParam = (pattern: RegExp) => restCalls.filter(({ row }) => pattern.test(row.route!))
const isId = /:(?:id|userId)\b/
const isName = /:(?!id\b|userId\b)\w+/

/** A request for a call's sample with one path parameter replaced. */
async function replaceParam(call: (typeof restCalls)[number], pattern: RegExp, text: string) {
  const sample = await makeSample(call.row, world, call.actor)
  const [name = ''] = pattern.exec(call.row.route!) ?? []
  const params = { ...sample.params, [name.slice(1)]: text }
  const { method, url, body } = addressOf('REST', call.row, { ...sample, params })
  return () => world.clients[call.actor].request(method, url, body)
}

describe.each(withParam(isId))('$name', (call) => {
  it.each(INVALID_IDS)('refuses the id %s', async (text) => {
    const request = await replaceParam(call, isId, text)
    expect(await judge(world, 'REST', request)).toEqual(refused(400))
    expect((await request()).body).toEqual({ message: 'The id is not valid' })
  })

  it.each(['4711', '9007199254740991'])('returns 404 for the unused id %s', async (text) => {
    const request = await replaceParam(call, isId, text)
    expect(await judge(world, 'REST', request)).toEqual(refused(404))
  })
})

describe.each(withParam(isName))('$name', (call) => {
  it.each(INVALID_NAMES)('refuses or does not find the name %s', async (text) => {
    const request = await replaceParam(call, isName, text)
    const { status, ...rest } = await judge(world, 'REST', request)
    // A dot is no segment of a path: what is left may be another one.
    expect([400, 404, 405]).toContain(status)
    expect({ status, ...rest }).toEqual(refused(status))
    expect((await request()).headers).not.toHaveProperty('x-injected')
  })

  it.each(BROKEN_NAMES)('refuses %s', async (text) => {
    const request = await replaceParam(call, isName, text)
    expect(await judge(world, 'REST', request)).toEqual(refused(text.length > 5_000 ? 414 : 400))
  })
})

const trpcCallsById = apiCalls.flatMap(({ transport, row, ...call }) => {
  const { shape = {} } = (inputOf(row) ?? {}) as { shape?: object }
  const key = ['id', 'userId'].find((name) => name in shape)
  return transport === 'tRPC' && key ? [{ ...call, transport, row, key }] : []
})

describe.each(trpcCallsById)('$name over tRPC', ({ transport, row, actor, key }) => {
  it('refuses invalid ids', async () => {
    for (const value of INVALID_ID_VALUES) {
      const { params, body } = await makeSample(row, world, actor)
      const sample = { body: { ...params, ...body, [key]: value } }
      const verdict = await judge(world, transport, () =>
        callOver(world.testApp.app, transport, row, world.clients[actor], sample),
      )
      expect([value, verdict]).toEqual([value, refused(400)])
    }
  })
})

describe('an id in the body', () => {
  it('does not override the id in the path', async () => {
    const { clients, retailer } = world
    const body = { id: retailer.id, storeName: 'Taken over' }
    const url = '/api/retailers/4711/basic-info'
    expect((await clients.owningSupplier.request('PATCH', url, body)).status).toBe(404)
  })
})
