import { describe, expect, it } from 'vitest'

import { listStaleCases, listSubjects } from './subjects'

describe('every export that handles untrusted text', () => {
  it('has a growth case or a reason for an exemption', async () => {
    const subjects = await listSubjects()
    const missing = subjects.filter(({ growthCase }) => !growthCase).map(({ name }) => name)
    expect(missing).toEqual([])
    expect(listStaleCases(subjects)).toEqual([])
  })
})
