import { afterEach, expect, it, vi } from 'vitest'

import type { Deps } from '../../../domain/deps'
import { unlockSource } from './private-keys'

afterEach(() => vi.restoreAllMocks())

it('a private key whose turn does not come in time is refused for the moment, and no fault', async () => {
  const ended = AbortSignal.abort(new DOMException('It took too long', 'TimeoutError'))
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ended)
  const deps = { readers: { run: () => Promise.reject(ended.reason as Error) } } as unknown as Deps
  const auth = { type: 'ssh-key', username: 'feed', privateKey: 'a key' } as const
  await expect(
    unlockSource(deps, { auth }, { supplierId: 1, fieldPrefix: '' }),
  ).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 15,
  })
})

it('the keys of one supplier are read one at a time, and those of another beside them', async () => {
  const reading: (() => void)[] = []
  const run = () =>
    new Promise((resolve) => reading.push(() => resolve({ privateKey: 'unlocked' })))
  const deps = { readers: { run } } as unknown as Deps
  const auth = { type: 'ssh-key', username: 'feed', privateKey: 'a key' } as const
  const unlock = (supplierId: number) =>
    unlockSource(deps, { auth }, { supplierId, fieldPrefix: '' })
  const done = [unlock(1), unlock(1), unlock(2)]
  await expect.poll(() => reading.length).toBe(2)
  for (const end of reading.splice(0)) end()
  await expect.poll(() => reading.length).toBe(1)
  reading[0]?.()
  expect(await Promise.all(done)).toHaveLength(3)
})
