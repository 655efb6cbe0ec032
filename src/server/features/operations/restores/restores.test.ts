import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { createAdmin, createSupplierUser } from '../../../testing/fixtures/factories'
import { putBackup } from '../../../testing/fixtures/stock'
import { openTestDeps, type TestDeps } from '../../../testing/stages/test-deps'
import { beat } from '../system/processes'
import {
  failRestore,
  renewRestore,
  reportRestore,
  stopForRestore,
  takeRestore,
  findRestore,
} from './restore-lease'
import { readRestorePreview, readRestoreState, requestRestore } from './restores'

let deps: TestDeps
let admin: Awaited<ReturnType<typeof createAdmin>>
let name: string

beforeEach(async () => {
  deps = await openTestDeps()
  admin = await createAdmin(deps)
  ;({ name } = await putBackup(deps))
})
afterEach(() => deps.close())

const request = (typedName = name, fileName = `${name}.tar`) =>
  requestRestore(deps, admin, { fileName, typedName })
const take = async () => takeRestore(deps, (await findRestore(deps))!.token)

describe('a restore that is asked for', () => {
  it('is taken up by one process, which tells what it does, until everything stops', async () => {
    await request()
    expect(await readRestoreState(deps)).toMatchObject({ backup: name, step: 'asked' })
    const taken = (await take())!
    expect(taken).toMatchObject({ backup: name, requestedById: admin.id })
    expect(await take()).toBeUndefined()
    await reportRestore(deps, taken, 'Unpacking')
    expect(await readRestoreState(deps)).toMatchObject({ step: 'staging', detail: 'Unpacking' })
    await stopForRestore(deps, taken)
    deps.clock.advance(3_600_000)
    expect(await readRestoreState(deps)).toMatchObject({ step: 'stopping', endedAt: null })
    await expect(request()).rejects.toThrow(`${name} is being restored`)
  })

  it('needs the name of a backup that there is', async () => {
    await expect(request('another')).rejects.toMatchObject({ field: 'typedName' })
    await expect(request('x', 'x.tar')).rejects.toThrow('not found')
    expect(await readRestoreState(deps)).toBeNull()
  })

  it('is refused while processes of several versions run', async () => {
    const own = { role: 'web', host: 'alpha', pid: 1, runtime: 'Node v26', startedAt: 1 } as const
    await beat(deps, { ...own, id: 'a' })
    const older = { ...deps, config: { ...deps.config, productVersion: '0.9.0' } }
    await beat(older, { ...own, id: 'b', host: 'beta' })
    await expect(request()).rejects.toThrow(/^Processes of several versions run: .*0\.9\.0 on beta/)
    expect((await readRestorePreview(deps, `${name}.tar`)).problem).toContain('0.9.0 on beta')
  })

  it('has failed when nobody takes it up, or whoever has dies before anything stops', async () => {
    await request()
    deps.clock.advance(30_000)
    expect(await readRestoreState(deps)).toMatchObject({
      step: 'failed',
      reason: expect.stringContaining('No process of the product has begun it'),
    })
    expect(await take()).toBeUndefined()
    await request()
    const taken = (await take())!
    deps.clock.advance(25_000)
    expect(await renewRestore(deps, taken)).toBe(true)
    deps.clock.advance(25_000)
    expect(await readRestoreState(deps)).toMatchObject({ step: 'staging' })
    deps.clock.advance(25_000)
    expect(await readRestoreState(deps)).toMatchObject({
      step: 'failed',
      reason: 'It was interrupted. Nothing was changed.',
    })
    expect(await renewRestore(deps, taken)).toBe(false)
    await expect(stopForRestore(deps, taken)).rejects.toThrow('Another process restores')
    await request()
  })

  it('tells why it has failed, and another one may be asked for', async () => {
    await request()
    const { token } = (await take())!
    await failRestore(deps, token, 'It was changed')
    expect(await readRestoreState(deps)).toMatchObject({ step: 'failed', reason: 'It was changed' })
    await request()
  })
})

it('what was made since a backup is counted, and nothing else', async () => {
  const since = { ...deps, clock: { now: () => deps.clock.now() + 1 } }
  await createSupplierUser(since)
  await createSupplierUser(since)
  expect(await readRestorePreview(deps, `${name}.tar`)).toMatchObject({
    name,
    productVersion: '1.0.0',
    lost: { versions: 0, accounts: 2, retailers: 0 },
    problem: null,
  })
})
