import { expect, it } from 'vitest'

import { figure, rounds } from '../fixtures/figures'
import { createRandom } from '../fixtures/file-fixtures'
import { writeUpdateHistories } from '../fixtures/update-histories'
import { replayHistory } from './update-histories'

const SEED = 7
const histories = await writeUpdateHistories(SEED, rounds(30, 300))

it.skipIf(!histories)(
  'random updates that are sent are published as another program has merged them',
  async () => {
    const wrong: string[] = []
    let files = 0
    for (const [number, history] of (histories ?? []).entries()) {
      const found = await replayHistory(history, createRandom(number))
      wrong.push(...found.map((what) => `history ${number}: ${what}`))
      files += history.steps.length
    }
    expect(wrong).toEqual([])
    figure('updates', 'files in random histories', `${files}, each merged as expected`, 'all')
  },
  1_800_000,
)
