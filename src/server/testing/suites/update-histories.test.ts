import { expect, it } from 'vitest'

import { createRandom } from '../fixtures/file-fixtures'
import { readUpdateHistories } from '../fixtures/update-histories'
import { replayHistory } from './update-histories'

const histories = (await readUpdateHistories()).slice(0, 3)

it.each(histories.map((history, number) => ({ history, number })))(
  'updates that are sent are published as another program has merged them: history $number',
  async ({ history, number }) => {
    expect(await replayHistory(history, createRandom(number))).toEqual([])
  },
)
