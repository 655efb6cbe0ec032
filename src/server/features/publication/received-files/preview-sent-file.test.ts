import { Readable } from 'node:stream'

import { afterEach, beforeEach, expect, it, vi } from 'vitest'

import { sheetOf, xlsx } from '../../../testing/fixtures/workbooks'
import { openByHandStage, type ByHandStage } from '../../../testing/stages/by-hand-stage'
import { cleanStorage } from '../../distribution/stored-files/storage-cleaning'
import { previewSentFile } from './preview-sent-file'

const BOOK = xlsx({ sheets: { Stock: sheetOf(['sku', 'qty'], ['A1', 5]) } })

let stage: ByHandStage
beforeEach(async () => {
  stage = await openByHandStage()
})
afterEach(() => {
  vi.restoreAllMocks()
  return stage.close()
})

const clean = () => cleanStorage(stage.deps, new AbortController().signal)

const preview = () =>
  previewSentFile(stage.deps, stage.supplier, {}, () => ({
    file: { fileName: 'stock.xlsx', sha256: null, body: Readable.from([BOOK]) },
    signal: new AbortController().signal,
  }))

it('a preview leaves no scratch file', async () => {
  expect((await preview()).columns).toEqual(['sku', 'qty'])
  expect(await clean()).toMatchObject({ scratchFiles: 0 })
})

it('the scratch files of a preview whose process has died are removed by the next clean-up', async () => {
  const { createDraft } = stage.deps.files
  stage.deps.files.createDraft = (owner) => ({
    ...createDraft(owner),
    discard: async () => undefined,
  })
  await preview()
  expect(await clean()).toMatchObject({ scratchFiles: 1 })
  expect(await clean()).toMatchObject({ scratchFiles: 0 })
})

it('a preview that takes too long is told of the file, not of an address', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(AbortSignal.abort())
  const { run } = stage.deps.readers
  stage.deps.readers.run = async (...task) => {
    task[2].signal.throwIfAborted()
    return run(...task)
  }
  await expect(preview()).rejects.toThrow(
    'The file could not be read within 15 seconds. Send it without a preview, or try again later.',
  )
})

it('a preview whose file the clean-up has removed can be tried again', async () => {
  const { run } = stage.deps.readers
  stage.deps.readers.run = async (...task) => {
    await clean()
    return run(...task)
  }
  await expect(preview()).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'The preview was interrupted. Try again.',
  })
  stage.deps.readers.run = run
  expect((await preview()).columns).toEqual(['sku', 'qty'])
})
