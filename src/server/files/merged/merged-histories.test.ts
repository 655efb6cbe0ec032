import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { readMergedHistories } from '../../testing/fixtures/merged-histories'
import { openMergedStage } from '../../testing/stages/merged-stage'
import { replayMerges } from '../../testing/suites/merged-histories'

const histories = await readMergedHistories()

let stage: Awaited<ReturnType<typeof openMergedStage>>
beforeAll(async () => {
  stage = await openMergedStage()
})
afterAll(() => stage.close())

describe('the files of several suppliers', () => {
  it.each(histories.map((history, number) => ({ number, history })))(
    'are merged as another program merges them: history $number',
    async ({ history }) => {
      expect(await replayMerges(stage, history)).toEqual([])
    },
  )
})
