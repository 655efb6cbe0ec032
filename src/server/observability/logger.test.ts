import { expect, it } from 'vitest'

import { recordLog } from '../testing/fixtures/log-lines'
import { withRequestId } from './log-context'

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const

it('writes levels as names and times in ISO 8601, also of child loggers', () => {
  const log = recordLog()
  for (const level of LEVELS) log.logger.child({ part: 'x' })[level]('said')
  expect(log.lines().map(({ level }) => level)).toEqual(LEVELS)
  for (const { time } of log.lines()) {
    expect(new Date(time as string).toISOString()).toBe(time)
  }
})

it('redacts secrets, and names the request', () => {
  const log = recordLog()
  withRequestId('r-1', () => log.logger.info({ body: { password: 'secret' } }, 'said'))
  expect(log.lines()).toMatchObject([{ requestId: 'r-1', body: { password: '[Redacted]' } }])
})
