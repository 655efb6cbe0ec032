import { expect, it } from 'vitest'

import { atLeast, atMost } from './goal'
import { formatTable, toLines } from './table'

const row = {
  number: 7,
  name: 'download',
  parts: [
    { what: 'download 100 MB', goal: atLeast(0.8) },
    { what: 'memory', goal: atMost(64, 'MB') },
  ],
}

it('each part of a row has a line with its result', () => {
  const lines = toLines({
    row,
    measured: [
      { value: 0.5, ours: '2 s', peer: '1 s' },
      { value: 41, ours: '41 MB' },
    ],
  })
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

it('a part that was skipped says why, and one without a measurement is not passed over', () => {
  const lines = toLines({ row, measured: [{ skipped: 'nginx is not installed' }] })
  expect(lines.map(({ result }) => result)).toEqual([
    'skipped: nginx is not installed',
    'skipped: not measured',
  ])
})

it('the table has aligned columns', () => {
  const lines = toLines({ row, measured: [{ value: 1, ours: '1 s', peer: 'a|b' }] })
  expect(formatTable(lines).split('\n')).toEqual([
    '| # | what            | ours | peer | ratio | goal    | result                |',
    '| - | --------------- | ---- | ---- | ----- | ------- | --------------------- |',
    '| 7 | download 100 MB | 1 s  | a\\|b | 1 ×   | ≥ 0.8 × | pass                  |',
    '| 7 | memory          |      |      |       | ≤ 64 MB | skipped: not measured |',
  ])
})
