import { describe, expect, it } from 'vitest'

import { SECRET_MASK, sourceAuthInput } from './source-auth'

const NO_ORIGIN = 'Enter the address of the server alone, for example https://s3.example.com'
const problemOf = (auth: unknown) => sourceAuthInput.safeParse(auth).error?.issues[0]?.message

describe('credentials for a source', () => {
  it('keep only the fields of their kind', () => {
    const more = { password: 'p', token: 't', value: 'v', role: 'SUPER_ADMIN' }
    expect(sourceAuthInput.parse({ type: 'none', ...more })).toEqual({ type: 'none' })
    expect(sourceAuthInput.parse({ type: 'bearer', ...more })).toEqual({
      type: 'bearer',
      token: 't',
    })
    expect(sourceAuthInput.parse({ type: 'basic', username: ' me ', ...more })).toEqual({
      type: 'basic',
      username: 'me',
      password: 'p',
    })
  })

  it('keep a secret unchanged except for spaces around a token or header value', () => {
    const password = ' with spaces : and č ß 🔑 '
    expect(sourceAuthInput.parse({ type: 'basic', username: 'me', password })).toMatchObject({
      password,
    })
    expect(sourceAuthInput.parse({ type: 'bearer', token: ' 1|abc==\n' })).toMatchObject({
      token: '1|abc==',
    })
    const header = { type: 'header', name: 'X-Api-Key', value: '\tKey a="1"; é ' }
    expect(sourceAuthInput.parse(header)).toMatchObject({ value: 'Key a="1"; é' })
  })

  const pair = { type: 's3', accessKeyId: ' AKIA1 ', region: 'eu-west-1' }

  it('of a bucket are a key pair, a region and perhaps the address of a server', () => {
    const secretAccessKey = ' a/b+c=\n'
    expect(sourceAuthInput.parse({ ...pair, secretAccessKey, endpoint: ' ' })).toEqual({
      type: 's3',
      accessKeyId: 'AKIA1',
      secretAccessKey: 'a/b+c=',
      region: 'eu-west-1',
    })
    const endpoint = 'https://s3.acme.example:9000'
    expect(sourceAuthInput.parse({ ...pair, endpoint })).toMatchObject({ endpoint })
  })

  it.each([
    [{ accessKeyId: '' }, 'Access key is required'],
    [{ accessKeyId: 'A B' }, 'Access key must be one word, such as AKIAIOSFODNN7EXAMPLE'],
    [{ secretAccessKey: '' }, 'Secret key is required'],
    [{ secretAccessKey: 'a b' }, 'Secret key must be one word'],
    [{ region: 'EU West' }, 'Enter a region, for example us-east-1'],
    [{ region: 'x.example/' }, 'Enter a region, for example us-east-1'],
    [{ endpoint: 'ftp://a.example' }, NO_ORIGIN],
    [{ endpoint: 'https://a.example/s3' }, NO_ORIGIN],
    [{ endpoint: 'https://me@a.example' }, NO_ORIGIN],
    [{ endpoint: 'a.example' }, NO_ORIGIN],
  ])('of a bucket may not be %j', (wrong, problem) => {
    expect(problemOf({ ...pair, secretAccessKey: 'sesame', ...wrong })).toBe(problem)
  })

  it.each([
    [{ type: 'basic', username: 'me' }],
    [{ type: 'basic', username: 'me', password: SECRET_MASK }],
    [{ type: 'bearer', token: SECRET_MASK }],
    [{ type: 'header', name: 'X-Api-Key', value: SECRET_MASK }],
    [{ type: 'header', name: 'Authorization', value: 'Key abc' }],
    [{ type: 'header', name: 'Cookie', value: 'session=1' }],
  ])('may be %j', (auth) => {
    expect(problemOf(auth)).toBeUndefined()
  })

  const header = (name: string, value = 'v') => ({ type: 'header', name, value })
  const reserved = [
    'Host',
    'content-length',
    'Transfer-Encoding',
    'CONNECTION',
    'Upgrade',
    'Expect',
    'Range',
    'If-None-Match',
    'Accept-Encoding',
    'User-Agent',
    'Proxy-Authorization',
  ]
  it.each(reserved)('may not set the header %s', (name) => {
    expect(problemOf(header(name))).toBe('This header name cannot be used: choose another one')
  })

  it.each<[auth: unknown, message: string]>([
    [null, 'Access must be one of none, basic, bearer, header'],
    ['basic', 'Access must be one of none, basic, bearer, header'],
    [{ type: 'digest' }, 'Access must be one of none, basic, bearer, header'],
    [{ type: 'basic', password: 'p' }, 'User name is required'],
    [{ type: 'basic', username: 7, password: 'p' }, 'User name is required'],
    [{ type: 'basic', username: 'a:b', password: 'p' }, 'User name must not contain a colon'],
    [{ type: 'basic', username: 'a\0b', password: 'p' }, 'User name contains characters'],
    [{ type: 'basic', username: 'a\uD800', password: 'p' }, 'User name contains characters'],
    [{ type: 'basic', username: 'me', password: '' }, 'Password is required'],
    [{ type: 'basic', username: 'me', password: null }, 'Password is required'],
    [{ type: 'basic', username: 'me', password: 'a\nb' }, 'Password contains characters'],
    [{ type: 'basic', username: 'me', password: 'x'.repeat(4_097) }, 'Password must be at most'],
    [{ type: 'bearer', token: '  ' }, 'Token is required'],
    [{ type: 'bearer', token: 'Bearer abc' }, 'Token must be one word, without Bearer before it'],
    [{ type: 'bearer', token: 'a\r\nHost: x' }, 'Token must be one word'],
    [{ type: 'bearer', token: 'ключ' }, 'Token must be one word'],
    [header('X-Api-Key', 'a\r\nHost: evil'), 'Header value contains characters'],
    [header('X-Api-Key', 'a\0'), 'Header value contains characters'],
    [header('X-Api-Key', '€'), 'Header value contains characters'],
    [header(''), 'Header name is required'],
    [header('X Api Key'), 'Header name must be one word, such as X-Api-Key'],
    [header('X-Api-Key:'), 'Header name must be one word, such as X-Api-Key'],
    [header('X\r\nHost'), 'Header name must be one word, such as X-Api-Key'],
    [header('Ключ'), 'Header name must be one word, such as X-Api-Key'],
  ])('may not be %j', (auth, message) => {
    expect(problemOf(auth)).toContain(message)
  })
})
