import { describe, expect, it } from 'vitest'

import { listStaleCases, listSubjects } from './subjects'

describe('whatever reads text of others', () => {
  it('has hostile inputs to measure its growth with, or a reason why it needs none', async () => {
    const subjects = await listSubjects()
    const forgotten = subjects.filter(({ growthCase }) => !growthCase).map(({ name }) => name)
    expect(forgotten).toEqual([])
    expect(listStaleCases(subjects)).toEqual([])
  })
})
