import { describe, expect, it } from 'vitest'

import { chooseAnswer, toLastModified } from './conditions'

const TIME = 'Thu, 15 Jan 2026 08:30:00 GMT'
const LATER = 'Thu, 15 Jan 2026 08:30:01 GMT'
const EARLIER = 'Thu, 15 Jan 2026 08:29:59 GMT'
const file = {
  etag: '"abc"',
  modifiedAt: Date.parse(TIME) + 400,
  lastModified: TIME,
  sizeBytes: 100,
}

const answer = (headers: Record<string, string>, method = 'GET') =>
  chooseAnswer(method, headers, file)
const part = (start: number, end: number) => ({ status: 206, range: { start, end } })

describe('a reader that has the file', () => {
  it.each([{ 'if-modified-since': TIME }, { 'if-modified-since': LATER }])(
    'is told that it has not changed: %j',
    (headers) => {
      expect(answer(headers)).toEqual({ status: 304 })
      expect(answer(headers, 'HEAD')).toEqual({ status: 304 })
    },
  )

  it.each<Record<string, string>>([
    { 'if-modified-since': EARLIER },
    { 'if-modified-since': 'yesterday' },
    { 'if-modified-since': TIME, 'if-none-match': '"other"' },
  ])('gets it when it may have changed: %j', (headers) => {
    expect(answer(headers)).toEqual({ status: 200 })
  })

  it('gets it when nobody knows when it changed', () => {
    const headers = { 'if-modified-since': LATER }
    expect(chooseAnswer('GET', headers, { etag: '"abc"', sizeBytes: 1 })).toEqual({ status: 200 })
  })
})

describe('a reader that wants a certain file', () => {
  it.each<Record<string, string>>([
    { 'if-match': '"abc"' },
    { 'if-match': '"other", "abc" ,"more"' },
    { 'if-match': '*' },
    { 'if-match': '"abc"', 'if-unmodified-since': EARLIER },
    { 'if-unmodified-since': TIME },
    { 'if-unmodified-since': LATER },
    { 'if-unmodified-since': 'yesterday' },
    { 'if-unmodified-since': '1970-01-01' },
  ])('gets it: %j', (headers) => {
    expect(answer(headers)).toEqual({ status: 200 })
    expect(answer(headers, 'HEAD')).toEqual({ status: 200 })
    expect(answer({ ...headers, range: 'bytes=1-' })).toEqual(part(1, 99))
  })

  it.each<Record<string, string>>([
    { 'if-match': '"other"' },
    { 'if-match': 'W/"abc"' },
    { 'if-match': 'abc' },
    { 'if-match': '' },
    { 'if-match': '"other"', 'if-unmodified-since': LATER },
    { 'if-unmodified-since': EARLIER },
  ])('is told that it is another one: %j', (headers) => {
    expect(answer(headers)).toEqual({ status: 412 })
    expect(answer(headers, 'HEAD')).toEqual({ status: 412 })
    const further = { 'if-none-match': '"abc"', 'if-modified-since': TIME, range: 'bytes=500-' }
    expect(answer({ ...headers, ...further })).toEqual({ status: 412 })
  })

  it('and has it already is told that it has not changed', () => {
    expect(answer({ 'if-match': '"abc"', 'if-none-match': '"abc"' })).toEqual({ status: 304 })
    const times = { 'if-unmodified-since': TIME, 'if-modified-since': TIME }
    expect(answer(times)).toEqual({ status: 304 })
  })

  it('gets it by any time when nobody knows when it changed', () => {
    const headers = { 'if-unmodified-since': EARLIER }
    expect(chooseAnswer('GET', headers, { etag: '"abc"', sizeBytes: 1 })).toEqual({ status: 200 })
  })

  it('is told of a change in the second in which it is made', () => {
    const { lastModified: _, ...changing } = file
    const headers = { 'if-unmodified-since': EARLIER }
    expect(chooseAnswer('GET', headers, changing)).toEqual({ status: 412 })
  })
})

describe('the time of a file', () => {
  it('is stated once its second is over', () => {
    const second = Date.parse(TIME)
    expect(toLastModified(second + 200, second + 999)).toBeUndefined()
    expect(toLastModified(second + 200, second + 1_000)).toBe(TIME)
  })
})

describe('a range', () => {
  it.each([
    ['bytes=0-0', part(0, 0)],
    ['bytes=10-19', part(10, 19)],
    ['bytes=10-', part(10, 99)],
    ['bytes=99-', part(99, 99)],
    ['bytes=90-1000', part(90, 99)],
    ['bytes=-10', part(90, 99)],
    ['bytes=-1000', part(0, 99)],
  ])('%s is sent', (range, expected) => {
    expect(answer({ range })).toEqual(expected)
  })

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])(
    '%s is not in the file',
    (range) => {
      expect(answer({ range })).toEqual({ status: 416 })
    },
  )

  it.each([
    'bytes=',
    'bytes=-',
    'bytes=20-10',
    'bytes=a-b',
    'bytes=0-1,5-6',
    'bytes= 0-1',
    'lines=0-1',
    '0-1',
    `bytes=${'1'.repeat(16)}-`,
    'bytes=-1-',
    'bytes=0x1-',
  ])('%j is not understood, so that the whole file is sent', (range) => {
    expect(answer({ range })).toEqual({ status: 200 })
  })

  it.each([
    ['the ETag', '"abc"', 206],
    ['the time', TIME, 206],
    ['another ETag', '"other"', 200],
    ['a weak ETag', 'W/"abc"', 200],
    ['another time', LATER, 200],
  ])('with %s in If-Range is answered with %s', (_what, known, status) => {
    expect(answer({ range: 'bytes=1-', 'if-range': known }).status).toBe(status)
  })

  it('is ignored by HEAD', () => {
    expect(answer({ range: 'bytes=1-' }, 'HEAD')).toEqual({ status: 200 })
  })

  it('of an empty file is never in it', () => {
    const empty = { etag: '"e"', sizeBytes: 0 }
    expect(chooseAnswer('GET', { range: 'bytes=0-' }, empty)).toEqual({ status: 416 })
    expect(chooseAnswer('GET', { range: 'bytes=-5' }, empty)).toEqual({ status: 416 })
  })
})
