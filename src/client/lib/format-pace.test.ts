import { expect, it } from 'vitest'

import { sampleConnection } from '../testing/sample-records'
import { formatPace } from './format-pace'

const byHand = { ...sampleConnection, config: { ...sampleConnection.config, url: '' } }

it.each([
  [sampleConnection, 'Hourly'],
  [{ ...sampleConnection, expectedEveryHours: 24 }, 'Hourly'],
  [byHand, 'When a file is sent'],
  [{ ...byHand, expectedEveryHours: 24 }, 'Expected within 1 day'],
  [{ ...byHand, expectedEveryHours: 168 }, 'Expected within 7 days'],
  [{ ...byHand, expectedEveryHours: 36 }, 'Expected within 36 hours'],
])('tells how often a connection gets a file: %#', (connection, expected) => {
  expect(formatPace(connection)).toBe(expected)
})
