import { expect, it } from 'vitest'

import { atLeast, atMost } from './goal'
import { formatLines, formatTable, toLines } from './table'

const row = {
  number: 7,
  name: 'download',
  parts: [
    { what: 'download 100 MB', goal: atLeast(0.8) },
    { what: 'memory', goal: atMost(64, 'MB') },
  ],
}

it('each part of a row has a line with its result', () => {
  const lines = toLines(row, [
    { value: 0.5, ours: '2 s', peer: '1 s' },
    { value: 41, ours: '41 MB' },
  ])
  expect(lines).toEqual([
    {
      row: 7,
      name: 'download',
      what: 'download 100 MB',
      ours: '2 s',
      peer: '1 s',
      ratio: '0.5 ×',
      goal: '≥ 0.8 ×',
      result: 'short',
    },
    {
      row: 7,
      name: 'download',
      what: 'memory',
      ours: '41 MB',
      peer: '',
      ratio: '',
      goal: '≤ 64 MB',
      result: 'pass',
    },
  ])
})

it('a row without figures has a line for each part all the same', () => {
  const lines = toLines(row, 'skipped')
  expect(lines.map(({ what, ours, result }) => [what, ours, result])).toEqual([
    ['download 100 MB', '', 'skipped'],
    ['memory', '', 'skipped'],
  ])
})

it('the table has aligned columns', () => {
  const lines = toLines(row, [
    { value: 1, ours: '1 s', peer: 'a|b' },
    { value: 41, ours: '41 MB' },
  ])
  expect(formatLines(lines).split('\n')).toEqual([
    '| #   | what            | ours  | peer | ratio | goal    | result |',
    '| --- | --------------- | ----- | ---- | ----- | ------- | ------ |',
    '| 7   | download 100 MB | 1 s   | a\\|b | 1 ×   | ≥ 0.8 × | pass   |',
    '| 7   | memory          | 41 MB |      |       | ≤ 64 MB | pass   |',
  ])
})

it('a cell that a row lacks is empty', () => {
  expect(formatTable(['cost', 'small'], [['a sync']]).split('\n')).toEqual([
    '| cost   | small |',
    '| ------ | ----- |',
    '| a sync |       |',
  ])
})
