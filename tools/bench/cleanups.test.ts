import { expect, it } from 'vitest'

import { createCleanups } from './cleanups'

it('what was started last is stopped first', async () => {
  const stopped: string[] = []
  const cleanups = createCleanups()
  cleanups.add(() => stopped.push('folder'))
  cleanups.add(async () => stopped.push('product'))
  await cleanups.run()
  await cleanups.run()
  expect(stopped).toEqual(['product', 'folder'])
})

it('a step that fails does not keep the others from running', async () => {
  const stopped: string[] = []
  const cleanups = createCleanups()
  cleanups.add(() => stopped.push('folder'))
  cleanups.add(() => Promise.reject(new Error('It has ended already')))
  await cleanups.run()
  expect(stopped).toEqual(['folder'])
})

it('what is started after the end is stopped at once', async () => {
  const stopped: string[] = []
  const cleanups = createCleanups()
  await cleanups.run()
  cleanups.add(() => stopped.push('late'))
  expect(stopped).toEqual(['late'])
  expect(cleanups.hasEnded()).toBe(true)
})
