import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { readConfig } from './config'
import { environmentSchema } from './settings'

describe('the configuration', () => {
  it('has a default for everything', () => {
    const config = readConfig({})
    expect(config).toMatchObject({ host: '127.0.0.1', port: 3000, workerConcurrency: 4 })
    expect(config.hasInlineWorker).toBe(true)
    expect(config.databaseFile).toBe(join(process.cwd(), 'data/app.db'))
  })

  it('reports all invalid variables at once', () => {
    const read = () => readConfig({ PORT: 'http', WORKER: 'maybe', MAX_FILE_BYTES: '-1' })
    expect(read).toThrow(/PORT[\s\S]*WORKER[\s\S]*MAX_FILE_BYTES/)
  })

  it('reports a missing secret file together with invalid variables', () => {
    const read = () => readConfig({ PORT: 'http', SESSION_SECRET_FILE: '/nowhere' })
    expect(read).toThrow(/SESSION_SECRET_FILE: .*\/nowhere[\s\S]*PORT/)
  })

  it('takes IPv6 addresses with and without the brackets that URLs have', () => {
    expect(readConfig({ HOST: '[::1]', METRICS_HOST: '[::]' })).toMatchObject({
      host: '::1',
      metricsHost: '::',
    })
    expect(readConfig({ HOST: '::' })).toMatchObject({ host: '::', metricsHost: '127.0.0.1' })
  })

  it('accepts only IP addresses and ranges as trusted proxies', () => {
    const trustProxy = ['127.0.0.1', '10.0.0.0/8', '::1', 'fd00::/8']
    expect(readConfig({ TRUST_PROXY: trustProxy.join(', ') })).toMatchObject({ trustProxy })
    for (const wrong of ['true', 'nginx', '10.0.0.0/33', '10.0.0', '*']) {
      const read = () => readConfig({ TRUST_PROXY: `127.0.0.1,${wrong}` })
      expect(read, wrong).toThrow(`TRUST_PROXY: "${wrong}" is neither`)
    }
  })

  it('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', APP_NAME: '' })).toMatchObject({
      port: 3000,
      appName: 'Stockbridge',
    })
  })

  describe('read from files', () => {
    const write = (text: string) => {
      const file = join(mkdtempSync(join(tmpdir(), 'stockbridge-')), 'value')
      writeFileSync(file, text)
      return file
    }

    it('has secrets without the end of their line', () => {
      const file = write(`${'x'.repeat(40)}\n`)
      expect(readConfig({ SESSION_SECRET_FILE: file }).sessionSecret).toBe('x'.repeat(40))
      expect(() => readConfig({ SESSION_SECRET_FILE: '/nowhere' })).toThrow('SESSION_SECRET_FILE')
    })

    it('has both keys of a bucket', () => {
      const keys = {
        S3_ACCESS_KEY_ID_FILE: write('AKIA\n'),
        S3_SECRET_ACCESS_KEY_FILE: write('secret\n'),
      }
      expect(readConfig({ STORAGE_URL: 's3://stock', ...keys }).bucket).toMatchObject({
        accessKeyId: 'AKIA',
        secretAccessKey: 'secret',
      })
    })

    it('may have any variable', () => {
      for (const name of Object.keys(environmentSchema.shape)) {
        expect(() => readConfig({ [`${name}_FILE`]: '/nowhere' }), name).toThrow(`${name}_FILE: `)
      }
    })

    it('does not use a default in place of an empty file', () => {
      expect(() => readConfig({ ENCRYPTION_KEY_FILE: write('\n') })).toThrow(/is empty$/)
    })
  })

  describe('of an identity provider', () => {
    const issuer = {
      OIDC_ISSUER: 'https://accounts.example',
      OIDC_CLIENT_ID: 'id',
      OIDC_CLIENT_SECRET: 'secret',
    }

    it('is read when all three variables are set', () => {
      expect(readConfig(issuer).oidc).toEqual({
        issuer: 'https://accounts.example',
        clientId: 'id',
        clientSecret: 'secret',
      })
      expect(readConfig({}).oidc).toBeUndefined()
    })

    it.each(Object.keys(issuer))('is refused without %s', (name) => {
      expect(() => readConfig({ ...issuer, [name]: '' })).toThrow(name)
      expect(() => readConfig({ ...issuer, [name]: '', PORT: 'http' })).toThrow(name)
    })

    it.each([
      'http://accounts.example',
      'http://127.0.0.1:4000',
      'http://localhost:4000',
      'ftp://accounts.example',
      'accounts.example',
    ])('is refused at %s', (address) => {
      expect(() => readConfig({ ...issuer, OIDC_ISSUER: address })).toThrow('OIDC_ISSUER')
    })

    it('may use http on loopback only, with OIDC_ALLOW_LOOPBACK', () => {
      const demo = { ...issuer, OIDC_ALLOW_LOOPBACK: 'true' }
      for (const address of [
        'http://127.0.0.1:4000',
        'http://localhost:4000',
        'http://[::1]:4000',
      ]) {
        expect(readConfig({ ...demo, OIDC_ISSUER: address }).oidc?.issuer).toBe(address)
      }
      for (const address of [
        'http://10.0.0.1',
        'http://localhost.example',
        'http://127.0.0.1.nip',
      ]) {
        expect(() => readConfig({ ...demo, OIDC_ISSUER: address })).toThrow('OIDC_ISSUER')
      }
    })
  })

  it('accepts an encryption key only in base64 or hexadecimal', () => {
    const key = Buffer.alloc(32, 5)
    for (const form of ['hex', 'base64'] as const) {
      expect(readConfig({ ENCRYPTION_KEY: key.toString(form) }).encryptionKey).toEqual(key)
    }
    expect(readConfig({ ENCRYPTION_KEY_PREVIOUS: key.toString('hex') })).toMatchObject({
      encryptionKey: undefined,
      previousEncryptionKey: key,
    })
    expect(() => readConfig({ ENCRYPTION_KEY: 'correct horse battery staple' })).toThrow(
      'ENCRYPTION_KEY: must be 32 bytes in base64 or hexadecimal',
    )
  })

  it('splits lists', () => {
    expect(readConfig({ FETCH_ALLOW: 'localhost:9000, 10.0.0.0/8' }).fetchAllow).toEqual([
      'localhost:9000',
      '10.0.0.0/8',
    ])
  })

  it('takes a proxy for fetching, and repeats none that it does not take', () => {
    const fetchProxy = 'http://user:s3cret@proxy.example:3128'
    expect(readConfig({ FETCH_PROXY: fetchProxy })).toMatchObject({ fetchProxy })
    for (const wrong of ['socks5://user:s3cret@proxy', `${fetchProxy}/path`, 'user:s3cret@proxy']) {
      const read = () => readConfig({ FETCH_PROXY: wrong })
      expect(read).toThrow('FETCH_PROXY: must be http:// or https:// and a proxy')
      expect(read).not.toThrow('s3cret')
    }
  })

  it('knows the names of variables for outgoing proxies, and not their values', () => {
    const { proxyVariables } = readConfig({
      HTTPS_PROXY: 'http://user:secret@proxy.example:3128',
      http_proxy: 'http://proxy.example:3128',
      ALL_PROXY: '',
      NO_PROXY: 'localhost',
      TRUST_PROXY: '127.0.0.1',
    })
    expect(proxyVariables).toEqual(['HTTPS_PROXY', 'http_proxy'])
    expect(readConfig({ NO_PROXY: '*' }).proxyVariables).toEqual([])
  })
})
