import { close, open } from 'node:inspector'

import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'

import { warnOfOpenDebugger } from './open-debugger'

afterEach(() => close())

function readWarnings(): string[] {
  const warnings: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line) => warnings.push(line) })
  warnOfOpenDebugger(logger)
  return warnings
}

it('warns of a debugger that was opened at the start, and of nothing without one', () => {
  expect(readWarnings()).toEqual([])
  open(0, '127.0.0.1')
  expect(readWarnings()).toEqual([
    expect.stringMatching(/A debugger listens on 127\.0\.0\.1:\d+: every program/) as string,
  ])
})
