import { expect, it } from 'vitest'

import { createArrivingBody } from './arriving-body'

const one = [Buffer.from('one')]

it('says that bytes were taken once their reader asks for more', async () => {
  const body = createArrivingBody()
  const reader = body.read()
  const taken = body.add(one)
  expect((await reader.next()).value?.toString()).toBe('one')
  let isTaken = false
  void taken.then(() => (isTaken = true))
  await new Promise(setImmediate)
  expect(isTaken).toBe(false)
  const end = reader.next()
  expect(await taken).toBe(true)
  body.end()
  expect(await end).toEqual({ done: true, value: undefined })
})

it('answers all that wait when no more is wanted, and when it breaks off', async () => {
  const unwanted = createArrivingBody()
  const first = unwanted.read()
  const waiting = [unwanted.add(one), unwanted.add(one)]
  await first.next()
  unwanted.stop()
  expect(await Promise.all([...waiting, unwanted.add(one)])).toEqual([false, false, false])
  const broken = createArrivingBody()
  const second = broken.read()
  const coming = second.next()
  expect(broken.fail(new Error('gone'))).toBe(true)
  await expect(coming).rejects.toThrow('gone')
})

it('is complete once it has ended, whatever is said afterwards', async () => {
  const body = createArrivingBody()
  body.end()
  expect(body.fail(new Error('gone'))).toBe(false)
  expect(await body.read().next()).toEqual({ done: true, value: undefined })
})

it('breaks off when its sender does not wait', async () => {
  const body = createArrivingBody()
  const reader = body.read()
  void body.add(one)
  await reader.next()
  expect(await body.add([Buffer.alloc(2 * 1024 * 1024)])).toBe(false)
  await expect(reader.next()).rejects.toThrow('More came than was asked for')
})
