import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import {
  FULL_NAME,
  readTable,
  readUpdateHistories,
  type UpdateHistory,
} from '../../testing/fixtures/update-histories'
import { type Merged, openMerging } from '../../testing/stages/merging'
import { FileError } from '../file-error'

const histories = await readUpdateHistories()

let stage: Awaited<ReturnType<typeof openMerging>>
beforeEach(async () => {
  stage = await openMerging()
})
afterEach(() => stage.close())

/** The state after each file, as far as it is another one than was expected. */
async function replay({ removal, steps }: UpdateHistory): Promise<string[]> {
  const wrong: string[] = []
  let published: Merged | undefined
  for (const [index, step] of steps.entries()) {
    const bytes = Buffer.from(step.content, 'base64')
    const settings = { removal, fullName: FULL_NAME, chunkBytes: 1 + ((index * 997) % 4_000) }
    try {
      published =
        step.isFullFile || !published
          ? await stage.full(bytes, settings)
          : await stage.update(published, bytes, settings)
      if (step.isRefused) wrong.push(`${index}: not refused`)
    } catch (error) {
      if (!(error instanceof FileError) || !step.isRefused) {
        wrong.push(`${index}: ${String(error)}`)
      }
    }
    const [text, expected] = [readTable(published?.text ?? ''), step.published]
    if (JSON.stringify(text) !== JSON.stringify(expected)) wrong.push(`${index}: other rows`)
  }
  return wrong
}

describe('files of which each has only what has changed', () => {
  it.each(histories.map((history, number) => ({ number, history })))(
    'are merged as another program merges them: history $number',
    async ({ history }) => {
      expect(await replay(history)).toEqual([])
    },
  )
})
