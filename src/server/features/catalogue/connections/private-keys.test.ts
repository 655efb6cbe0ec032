import { afterEach, expect, it, vi } from 'vitest'

import type { Deps } from '../../../domain/deps'
import { unlockSource } from './private-keys'

afterEach(() => vi.restoreAllMocks())

it('a private key whose turn does not come in time is refused for the moment, and no fault', async () => {
  const ended = AbortSignal.abort(new DOMException('It took too long', 'TimeoutError'))
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(ended)
  const deps = { readers: { run: () => Promise.reject(ended.reason as Error) } } as unknown as Deps
  const auth = { type: 'ssh-key', username: 'feed', privateKey: 'a key' } as const
  await expect(unlockSource(deps, { auth }, '')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    retryAfterSeconds: 15,
  })
})
