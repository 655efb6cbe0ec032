import { expect, it } from 'vitest'

import { figure, rounds } from '../testing/fixtures/figures'
import { type DocumentSet, writeHeldOutDocuments } from '../testing/fixtures/held-out-documents'
import { hasClearTable, judgeDocument } from '../testing/stages/held-out-documents'

/** Those that nothing reads right: they are refused with what to do, or what is wrong is told. */
const WRONG: Record<DocumentSet, string[]> = {
  first: ['thead-tfoot'],
  second: ['groups-in-groups'],
  third: ['wddx', 'collection-json'],
  fourth: [],
}

for (const set of ['first', 'second', 'third', 'fourth'] as const) {
  it(`all documents of the ${set} set are right, or people are told or asked`, async (context) => {
    for (let seed = 1; seed <= rounds(2, 10); seed++) {
      const documents = await writeHeldOutDocuments(set, seed)
      if (!documents) return context.skip()
      const found = { silent: [] as string[], wrong: [] as string[] }
      const readable = { all: 0, right: 0, chosen: 0 }
      for (const document of documents) {
        const { verdict, isRightWithChoice } = await judgeDocument(document, document.bytes)
        if (verdict === 'silent' || verdict === 'failed') found.silent.push(document.file)
        if (!hasClearTable(document)) continue
        readable.all++
        if (verdict === 'right') readable.right++
        if (verdict === 'right' || isRightWithChoice) readable.chosen++
        else found.wrong.push(document.name)
      }
      expect(found).toEqual({ silent: [], wrong: WRONG[set] })
      const { all, right, chosen } = readable
      expect(right).toBeGreaterThan(0.89 * all)
      figure(
        'files',
        `documents of the ${set} set that are read right`,
        `${right} of ${all} without a choice, ${chosen} with one`,
        '90 %, 99 %',
      )
    }
    return undefined
  }, 600_000)
}
