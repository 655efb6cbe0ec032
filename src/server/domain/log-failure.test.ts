import { describe, expect, it } from 'vitest'

import { FileError } from '../files/file-error'
import { recordLog } from '../testing/fixtures/log-lines'
import { DomainError } from './errors'
import { logFailure } from './log-failure'
import { toRefusal } from './refusal'

function logged(error: unknown) {
  const log = recordLog()
  logFailure(log.logger, error, 'It failed', { variantId: 7 })
  const [line] = log.lines()
  return { level: line?.level, reason: line?.reason, hasStack: log.text().includes('"stack"') }
}

describe('a failure is logged', () => {
  it('as information when it is a refusal that is meant', () => {
    const error = new DomainError('UNAVAILABLE', 'Try again in a moment')
    expect(logged(error)).toEqual({ level: 'info', reason: error.message, hasStack: false })
  })

  it('as a warning when it is the fault of a file', () => {
    const error = new FileError('reading-time', 'Reading takes too long')
    expect(logged(error)).toEqual({ level: 'warn', reason: error.message, hasStack: false })
  })

  it.each([
    ['a bug', new TypeError('x is undefined')],
    ['a full disk', Object.assign(new Error('full'), { code: 'ENOSPC' })],
    ['a full disk, as it is refused', toRefusal(Object.assign(new Error(), { code: 'ENOSPC' }))],
    ['something else that was thrown', 'a text'],
  ])('as an error when it is %s', (_what, error) => {
    const { level, reason } = logged(error)
    expect([level, reason]).toEqual(['error', undefined])
  })
})
