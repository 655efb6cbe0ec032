import { describe, expect, it } from 'vitest'

import { readHost } from './source-host'

const s3 = { type: 's3', accessKeyId: 'A', region: 'eu-west-1', sealed: '' } as const

describe('the host of a source', () => {
  it.each([
    [{ url: '' }, undefined],
    [{ url: 'https://example.com:8443/a.csv' }, 'example.com:8443'],
    [{ url: 's3://acme-files/a.csv', auth: s3 }, 'acme-files.s3.eu-west-1.amazonaws.com'],
    [
      { url: 's3://acme-files/a.csv', auth: { ...s3, endpoint: 'https://s3.example:9000' } },
      's3.example:9000',
    ],
  ])('%j is %s', (config, host) => {
    expect(readHost({ config })).toBe(host)
  })
})
