import { describe, expect, it } from 'vitest'

import { sampleDestination } from '../../testing/destination-answers'
import {
  completeAddress,
  findProblems,
  kindOf,
  proposeName,
  startConfig,
  startValues,
  toSettings,
  type DestinationValues,
} from './destination-values'
import { exampleFileName } from './file-name-example'

const values = (changes: Partial<DestinationValues> = {}): DestinationValues => ({
  ...startValues(null, 'UTC'),
  kind: 'web',
  config: { ...startConfig('web'), url: 'https://erp.example/in/' },
  ...changes,
})

describe('the address of a destination', () => {
  it.each([
    ['files.example.com/in', 'sftp', 'sftp://files.example.com/in'],
    ['sftp://ftp://files.example.com', 'sftp', 'ftp://files.example.com'],
    [' https://erp.example/in ', 'web', 'https://erp.example/in'],
    ['stock/in/', 's3', 's3://stock/in/'],
  ] as const)('%j of kind %s becomes %j', (typed, kind, address) => {
    expect(completeAddress(typed, kind)).toBe(address)
  })

  it('tells its kind, whichever was chosen', () => {
    expect(kindOf(values({ config: { ...startConfig('web'), url: 's3://a/b' } }))).toBe('s3')
    expect(kindOf(values({ kind: 'mail' }))).toBe('mail')
  })

  it('names a destination that nobody has named', () => {
    expect(proposeName(values())).toBe('erp.example')
    expect(toSettings(values({ name: ' ' }), null).name).toBe('erp.example')
    expect(toSettings(values({ name: 'ERP' }), null).name).toBe('ERP')
  })
})

describe('what is sent of a destination', () => {
  it('has people or an address, and times only where they are chosen', () => {
    const mail = toSettings(values({ kind: 'mail', recipients: [3] }), null)
    expect([mail.config, mail.recipients, mail.times]).toEqual([undefined, [3], []])
    const timed = toSettings(values({ isTimed: true, times: ['18:00', '06:00', '18:00'] }), null)
    expect([timed.recipients, timed.times]).toEqual([undefined, ['06:00', '18:00']])
  })

  it('keeps a saved secret only at the origin that it is of', () => {
    const start = startValues(sampleDestination, 'UTC')
    const secretAt = (url: string) => {
      const { config } = toSettings(
        { ...start, config: { ...start.config, url } },
        sampleDestination.config,
      )
      return config?.auth?.type === 'basic' && config.auth.password
    }
    expect(secretAt('sftp://erp.example/other/')).toBe('••••••')
    expect(secretAt('sftp://elsewhere.example/in/')).toBe('')
  })
})

describe('what is wrong with a destination', () => {
  it('is nothing when all is there', () => {
    expect(findProblems(values(), null)).toEqual({})
  })

  it.each([
    [{ kind: null }, ['kind']],
    [{ kind: 'mail' }, ['recipients']],
    [{ config: startConfig('web') }, ['config.url']],
    [{ isTimed: true, times: [''] }, ['times']],
    [{ isTimed: true, times: [] }, ['times']],
    [{ fileName: '../a' }, ['fileName']],
    [{ fileName: '{shop}.csv' }, ['fileName']],
  ] as const)('of %j is at %j', (changes, paths) => {
    const problems = findProblems(values(changes as Partial<DestinationValues>), null)
    expect(Object.keys(problems)).toEqual(paths)
  })
})

describe('the time zone', () => {
  it('is that of the browser until one is chosen', () => {
    const own = new Intl.DateTimeFormat().resolvedOptions().timeZone
    expect(startValues(null, 'UTC').timeZone).toBe(own)
    expect(startValues(null, 'Asia/Tokyo').timeZone).toBe('Asia/Tokyo')
    expect(startValues({ ...sampleDestination, times: ['06:00'] }, 'UTC').timeZone).toBe('UTC')
  })
})

it('shows how a file would be called now, in its time zone', () => {
  const nowMs = Date.UTC(2026, 10, 27, 23, 41, 5)
  const of = { supplier: 'Northbeck Outdoor Ltd.', timeZone: 'Europe/Berlin', nowMs }
  expect(exampleFileName('{supplier}_{time}.csv', of)).toBe(
    'Northbeck-Outdoor-Ltd._20261128004105.csv',
  )
  expect(exampleFileName('{version}.csv', of)).toMatch(/^\d+\.csv$/)
})
