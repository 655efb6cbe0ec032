import { expect, it } from 'vitest'

import { compareRates, compareTimes, interleave } from './interleave'

/** A measurement that gives these values in turn, and notes its name. */
function takeTurns(name: string, values: number[], order: string[] = []) {
  return async () => {
    order.push(name)
    return values.shift() ?? NaN
  }
}

it('measurements are taken in turn, one at a time', async () => {
  const order: string[] = []
  const values = await interleave(3, [
    takeTurns('A', [1, 2, 3], order),
    takeTurns('B', [4, 5, 6], order),
  ])
  expect(order.join('')).toBe('ABABAB')
  expect(values).toEqual([
    [1, 2, 3],
    [4, 5, 6],
  ])
})

it('a measurement that gives no number is an error', async () => {
  await expect(interleave(1, [takeTurns('A', [])])).rejects.toThrow('A measurement gave NaN')
})

it('a shorter duration and a higher rate are better', async () => {
  const measurements = () => ({
    runs: 3,
    ours: takeTurns('ours', [2, 100, 2]),
    peer: takeTurns('peer', [1, 1, 0]),
  })
  expect(await compareTimes(measurements())).toEqual({ ours: 2, peer: 1, ratio: 0.5 })
  expect(await compareRates(measurements())).toEqual({ ours: 2, peer: 1, ratio: 2 })
})
