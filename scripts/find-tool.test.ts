import { execFileSync } from 'node:child_process'

import { expect, it } from 'vitest'

import { findTool } from './find-tool.mjs'

it.each([
  ['tsc', 'typescript'],
  ['oxlint', undefined],
  ['oxfmt', undefined],
  ['knip', undefined],
  ['vitest', undefined],
  ['vite', undefined],
  ['tsx', undefined],
])('finds a script of %s that this Node runs', (tool, from) => {
  const args = [findTool(tool, from), '--version']
  expect(execFileSync(process.execPath, args, { encoding: 'utf8' })).toMatch(/\d+\.\d+\.\d+/)
})

it('fails for a program of a package that is not installed', () => {
  expect(() => findTool('nowhere')).toThrow('ENOENT')
})
