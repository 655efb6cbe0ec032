import { afterAll, beforeAll, expect, it } from 'vitest'

import { figure, rounds } from '../../testing/fixtures/figures'
import { writeMergedHistories } from '../../testing/fixtures/merged-histories'
import { openMergedStage } from '../../testing/stages/merged-stage'
import { replayMerges } from '../../testing/suites/merged-histories'

const SEED = 11
const histories = await writeMergedHistories(SEED, rounds(30, 300))

let stage: Awaited<ReturnType<typeof openMergedStage>>
beforeAll(async () => {
  stage = await openMergedStage()
})
afterAll(() => stage.close())

it.skipIf(!histories)(
  'random files of suppliers that are held, late, leave and come back are merged as another program merges them',
  async () => {
    const wrong: string[] = []
    let merges = 0
    for (const [number, history] of (histories ?? []).entries()) {
      const found = await replayMerges(stage, history)
      wrong.push(...found.map((what) => `history ${number}: ${what}`))
      merges += history.steps.length
    }
    expect(wrong).toEqual([])
    figure('merged files', 'merges in random histories', `${merges}, each as expected`, 'all')
  },
  1_800_000,
)
