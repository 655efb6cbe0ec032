import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { currentRequestId, withRequestId } from '../observability/log-context'
import type { Queue, WorkHandler } from './queue'

/** A promise that the test resolves by calling `open`. */
function createGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

/** Tests that every queue passes. */
export function describeQueue(
  name: string,
  openQueue: () => Promise<{ queue: Queue; close(): Promise<void> }>,
): void {
  describe(name, () => {
    let queue: Queue
    let close: () => Promise<void>

    beforeEach(async () => {
      ;({ queue, close } = await openQueue())
    })
    afterEach(() => close())

    function handler(run: WorkHandler['run'], concurrency = 1): WorkHandler {
      return { job: 'test', concurrency, run }
    }

    it('does the work that is added, with its payload', async () => {
      const seen: unknown[] = []
      queue.start([handler(async (payload) => void seen.push(payload))])
      await queue.add({ job: 'test', payload: { id: 1 } })
      await queue.idle()
      expect(seen).toEqual([{ id: 1 }])
    })

    it('does work in the order it was added', async () => {
      const seen: unknown[] = []
      queue.start([handler(async (payload) => void seen.push(payload))])
      for (const payload of [1, 2, 3]) await queue.add({ job: 'test', payload })
      await queue.idle()
      expect(seen).toEqual([1, 2, 3])
    })

    it('runs at most as much work at once as the concurrency of the job', async () => {
      let running = 0
      let most = 0
      const both = Promise.withResolvers<void>()
      queue.start([
        handler(async () => {
          most = Math.max(most, ++running)
          if (running === 2) both.resolve()
          await both.promise
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
        }, 2),
      ])
      for (let index = 0; index < 6; index++) await queue.add({ job: 'test', payload: index })
      await queue.idle()
      expect(most).toBe(2)
    })

    it('does not queue work whose key is already waiting', async () => {
      const gate = createGate()
      const seen: unknown[] = []
      queue.start([
        handler(async (payload) => {
          seen.push(payload)
          await gate.opened
        }),
      ])
      await queue.add({ job: 'test', payload: 'first' })
      await queue.add({ job: 'test', key: 'k', payload: 'second' })
      await queue.add({ job: 'test', key: 'k', payload: 'third' })
      gate.open()
      await queue.idle()
      expect(seen).toEqual(['first', 'second'])
    })

    it('continues with the next work after a failure', async () => {
      const seen: unknown[] = []
      queue.start([
        handler(async (payload) => {
          if (payload === 'bad') throw new Error('no')
          seen.push(payload)
        }),
      ])
      await queue.add({ job: 'test', payload: 'bad' })
      await queue.add({ job: 'test', payload: 'good' })
      await queue.idle()
      expect(seen).toEqual(['good'])
    })

    it('does work with the request id of the request that added it', async () => {
      const seen: unknown[] = []
      queue.start([handler(async (payload) => void seen.push([payload, currentRequestId()]))])
      await withRequestId('request-1', () => queue.add({ job: 'test', payload: 'asked for' }))
      await queue.add({ job: 'test', payload: 'on schedule' })
      await queue.idle()
      expect(seen).toEqual([
        ['asked for', 'request-1'],
        ['on schedule', undefined],
      ])
    })

    it('passes its check once it accepts work', async () => {
      await expect.poll(() => queue.check().then(() => 'yes', String)).toBe('yes')
    })

    it('does local work', async () => {
      const seen: unknown[] = []
      queue.start([handler(async (payload) => void seen.push(payload))])
      await queue.add({ job: 'test', payload: 'here', isLocal: true })
      await queue.idle()
      expect(seen).toEqual(['here'])
    })

    it('accepts work in a process without handlers', async () => {
      await expect(queue.add({ job: 'test', payload: 1 })).resolves.toBeUndefined()
    })

    it('waits for running work when it is closed, and starts no more', async () => {
      const started = createGate()
      const gate = createGate()
      const seen: unknown[] = []
      queue.start([
        handler(async (payload) => {
          started.open()
          await gate.opened
          seen.push(payload)
        }),
      ])
      await queue.add({ job: 'test', payload: 'running' })
      await queue.add({ job: 'test', payload: 'waiting' })
      await started.opened
      const closed = queue.close(60_000)
      gate.open()
      await closed
      expect(seen).toEqual(['running'])
    })

    it('aborts running work after the grace period', async () => {
      const started = createGate()
      queue.start([
        handler(async (_payload, signal) => {
          started.open()
          await new Promise((resolve) => signal.addEventListener('abort', resolve))
        }),
      ])
      await queue.add({ job: 'test', payload: 1 })
      await started.opened
      await expect(queue.close(0)).resolves.toBeUndefined()
    })
  })
}
