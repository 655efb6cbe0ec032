import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import type { Changes } from '../../../db/engine'
import { createChangeWatch, type ChangeWatch, type Watcher } from './change-watch'

const CHECK_EVERY_MS = 50

let changes: ChangeWatch
let topics: string[]
let marks: (string | undefined)[]

beforeEach(() => {
  topics = []
  marks = []
  changes = open()
})
afterEach(() => changes.close())

function open(quietMs = 60_000): ChangeWatch {
  const read = async (since: string | undefined): Promise<Changes> => {
    marks.push(since)
    return { mark: String(marks.length), topics: topics.splice(0) }
  }
  return createChangeWatch(read, { checkEveryMs: CHECK_EVERY_MS, quietMs })
}

/** A watcher that has seen everything so far, and of what it is told. */
async function watch(userId: number, topic: string) {
  const watcher = changes.watch(userId)!
  // The first look wakes all.
  await watcher.next(new Set([topic]))
  const told: string[] = []
  void watcher.next(new Set([topic])).then((isOpen) => told.push(isOpen ? 'changed' : 'ended'))
  return { watcher, told }
}

const looks = () => marks.length

/** Waits until the changes have been read so often more. */
async function lookAgain(count = 2): Promise<void> {
  const target = looks() + count
  await expect.poll(looks).toBeGreaterThanOrEqual(target)
}

describe('a change', () => {
  it('wakes whom it concerns, and nobody else', async () => {
    const [one, other] = await Promise.all([watch(1, 'user 1'), watch(2, 'user 2')])
    topics = ['user 2', 'supplier 1']
    await lookAgain()
    expect([one.told, other.told]).toEqual([[], ['changed']])
  })

  it('wakes at its next call whoever was reading meanwhile, whatever it is about', async () => {
    const watcher = changes.watch(1)!
    await watcher.next(new Set(['user 1']))
    topics = ['supplier 1']
    await lookAgain()
    expect(await watcher.next(new Set(['user 1']))).toBe(true)
  })

  it('is looked for from where the last look ended', async () => {
    await watch(1, 'user 1')
    await lookAgain()
    expect(marks.slice(0, 3)).toEqual([undefined, '1', '2'])
  })

  it('is not looked for while nobody watches', async () => {
    const { watcher } = await watch(1, 'user 1')
    watcher.end()
    const before = looks()
    const again = await watch(1, 'user 1')
    expect(marks.slice(before, before + 1)).toEqual([undefined])
    again.watcher.end()
  })
})

describe('time', () => {
  it('wakes whoever has not been woken for long', async () => {
    changes = open(2 * CHECK_EVERY_MS)
    const { told } = await watch(1, 'user 1')
    await lookAgain(4)
    expect(told).toEqual(['changed'])
  })
})

describe('reading', () => {
  it('is done for four watchers at a time', async () => {
    const all = Array.from({ length: 6 }, (_, userId) => changes.watch(userId)!)
    let [running, most] = [0, 0]
    const work = async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(setImmediate)
      running -= 1
    }
    await Promise.all(all.map((watcher) => watcher.read(work)))
    expect(most).toBe(4)
  })

  it('fails for a watcher that ends before its turn', async () => {
    const busy = Promise.withResolvers<void>()
    const others: Watcher[] = Array.from({ length: 4 }, (_, userId) => changes.watch(userId)!)
    const reads = others.map((watcher) => watcher.read(() => busy.promise))
    const waiting = changes.watch(9)!
    const failed = waiting.read(async () => undefined)
    waiting.end()
    await expect(failed).rejects.toMatchObject({ name: 'AbortError' })
    busy.resolve()
    await Promise.all(reads)
  })
})
