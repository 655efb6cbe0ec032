import { expect, it } from 'vitest'

import { NO_MATCH, rankMatch } from './match-rank'

it.each([
  ['Keyboard Shortcuts', 'keyboard shortcuts', 0],
  ['Keyboard Shortcuts', 'KEY', 1],
  ['Keyboard Shortcuts', 'short', 2],
  ['Smith-Jones', 'jones', 2],
  ['Smith (Jones)', 'jones', 2],
  ['Keyboard Shortcuts', 'board', 3],
  // The later place is the better one.
  ['Carport & Port', 'port', 2],
  ['Ägäis Ölhandel', 'öl', 2],
  ['東京 靴店', '靴', 2],
  ['Keyboard Shortcuts', 'mouse', NO_MATCH],
  ['Anything', '', 1],
  ['', '', 0],
])('%s for %s has the rank %i', (name, typed, rank) => {
  expect(rankMatch(name, typed)).toBe(rank)
})
