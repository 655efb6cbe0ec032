import { expect, it } from 'vitest'

import { readHeldOutDocuments } from '../testing/fixtures/held-out-documents'
import { hasClearTable, judgeDocument } from '../testing/stages/held-out-documents'

/** Groups in groups, which are told. */
const WRONG = ['015-groups-in-groups.xml']

const documents = await readHeldOutDocuments()

it('documents that were written without looking at the readers are right, or people are told or asked', async () => {
  const found = { silent: [] as string[], asked: [] as string[], wrong: [] as string[] }
  const clear = documents.filter(hasClearTable)
  for (const document of documents) {
    const { verdict, isRightWithChoice } = await judgeDocument(document, document.bytes)
    if (verdict === 'silent' || verdict === 'failed') found.silent.push(document.file)
    if (!clear.includes(document) || verdict === 'right') continue
    if (isRightWithChoice) found.asked.push(document.file)
    else found.wrong.push(document.file)
  }
  expect(found.silent).toEqual([])
  expect(found.wrong).toEqual(WRONG)
  expect(found.asked.length).toBeLessThan(0.1 * clear.length)
  expect(clear.length).toBeGreaterThan(40)
})
