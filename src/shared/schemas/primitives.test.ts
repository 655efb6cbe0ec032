import { describe, expect, it } from 'vitest'
import type { z } from 'zod'

import {
  emailSchema,
  idSchema,
  instantSchema,
  maxRetailersSchema,
  nameSchema,
  newPasswordSchema,
  sourceUrlSchema,
  syncFrequencySchema,
  usernameSchema,
} from './primitives'

/** The parsed value, or the first error message. */
function read(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  return result.success ? result.data : new Error(result.error.issues[0]?.message)
}
const refused = (message: string) => new Error(message)

describe('a username', () => {
  it.each([
    ['acme', 'acme'],
    ['  acme ', 'acme'],
    ['Émilie & Söhne', 'Émilie & Söhne'],
    ['🙂', '🙂'],
    ['__proto__', '__proto__'],
    ['x'.repeat(100), 'x'.repeat(100)],
    ['', refused('Username is required')],
    [' \t\n', refused('Username is required')],
    [undefined, refused('Username is required')],
    [7, refused('Username is required')],
    ['x'.repeat(101), refused('Username must be at most 100 characters')],
    ['a\u0000b', refused('Username contains characters that are not allowed')],
    ['a\nb', refused('Username contains characters that are not allowed')],
    ['a\u007Fb', refused('Username contains characters that are not allowed')],
    ['a\u202Eb', refused('Username contains characters that are not allowed')],
    ['a\u2066b', refused('Username contains characters that are not allowed')],
    ['a\uD83D', refused('Username contains characters that are not allowed')],
  ])('%j is read as %j', (value, expected) => {
    expect(read(usernameSchema, value)).toEqual(expected)
  })
})

describe('a new password', () => {
  it.each([
    ['123456', '123456'],
    ['  spaces  ', '  spaces  '],
    ['      ', '      '],
    ['x'.repeat(256), 'x'.repeat(256)],
    ['', refused('Password must be at least 6 characters')],
    ['12345', refused('Password must be at least 6 characters')],
    ['x'.repeat(257), refused('Password must be at most 256 characters')],
    ['horse\uDE00s', refused('Password contains characters that are not allowed')],
    [undefined, refused('Password is required')],
    [null, refused('Password is required')],
    [123_456, refused('Password is required')],
  ])('%j is read as %j', (value, expected) => {
    expect(read(newPasswordSchema, value)).toEqual(expected)
  })
})

describe('a name', () => {
  it.each([
    [' Corner Shop ', 'Corner Shop'],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['', refused('Store name is required')],
    ['  ', refused('Store name is required')],
    [null, refused('Store name is required')],
    ['x'.repeat(201), refused('Store name must be at most 200 characters')],
    ['a\u0007b', refused('Store name contains characters that are not allowed')],
    ['a\u202Eb', refused('Store name contains characters that are not allowed')],
    ['a\uD800', refused('Store name contains characters that are not allowed')],
  ])('%j is read as %j', (value, expected) => {
    expect(read(nameSchema('Store name'), value)).toEqual(expected)
  })
})

describe('an email address', () => {
  const long = `${'a'.repeat(60)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}`
  it.each([
    ['a@example.com', 'a@example.com'],
    ['a.b+c@mail.example.co.uk', 'a.b+c@mail.example.co.uk'],
    ['', refused('Invalid email address')],
    ['nobody', refused('Invalid email address')],
    ['a@b', refused('Invalid email address')],
    ['a b@example.com', refused('Invalid email address')],
    ['a@example.com\nbcc: b@example.com', refused('Invalid email address')],
    [undefined, refused('Invalid email address')],
    [`${long}.${'e'.repeat(60)}.com`, refused('Email must be at most 254 characters')],
  ])('%j is read as %j', (value, expected) => {
    expect(read(emailSchema, value)).toEqual(expected)
  })
})

describe('the limit of retailers', () => {
  it.each([
    [1, 1],
    [1_000_000, 1_000_000],
    [0, refused('Max retailers must be at least 1')],
    [1_000_001, refused('Max retailers must be at most 1000000')],
    [2.5, refused('Max retailers must be a whole number')],
    ['10', refused('Max retailers must be a number')],
    [Number.NaN, refused('Max retailers must be a number')],
    [Infinity, refused('Max retailers must be a number')],
    [null, refused('Max retailers must be a number')],
  ])('%j is read as %j', (value, expected) => {
    expect(read(maxRetailersSchema, value)).toEqual(expected)
  })
})

describe('a sync frequency', () => {
  it.each([
    [0, 0],
    [525_600, 525_600],
    [-1, refused('Sync frequency must be at least 0')],
    [525_601, refused('Sync frequency must be at most 525600 minutes')],
    [0.5, refused('Sync frequency must be a whole number of minutes')],
    ['', refused('Sync frequency must be a number of minutes')],
    [undefined, refused('Sync frequency must be a number of minutes')],
  ])('%j is read as %j', (value, expected) => {
    expect(read(syncFrequencySchema, value)).toEqual(expected)
  })
})

describe('an id', () => {
  it.each([1, Number.MAX_SAFE_INTEGER])('%d is accepted', (id) => {
    expect(idSchema.safeParse(id).success).toBe(true)
  })
  it.each([0, -1, 1.5, '1', 2 ** 53, Number.NaN, null])('%j is refused', (id) => {
    expect(idSchema.safeParse(id).success).toBe(false)
  })
})

describe('an instant', () => {
  it.each([
    ['2026-01-15T08:30:00.000Z', true],
    ['2026-01-15T08:30:00+02:00', false],
    ['2026-01-15', false],
    ['2026-13-15T08:30:00.000Z', false],
  ])('is valid as %s: %s', (text, isOne) => {
    expect(instantSchema.safeParse(text).success).toBe(isOne)
  })
})

describe('the address of a source', () => {
  const incomplete = refused('Enter a full address, for example https://example.com/inventory.csv')
  const noBucket = refused('Enter the bucket and the file, for example s3://bucket/stock.csv')
  const noFile = refused('Enter the file in the bucket, for example s3://bucket/stock.csv')
  const other = refused('Only http, https, s3, sftp, ftp and ftps addresses can be used')
  const server = 'for example sftp://files.example.com/stock.csv'
  const noServer = refused(`Enter the server and the file, ${server}`)
  const noServerFile = refused(`Enter the file at the server too, ${server}`)
  const noPattern = refused(
    'Only the name of the file may have a *, which stands for any text: not its folder',
  )
  const secret = refused('Leave the user name and password out of the address')
  it.each([
    [' https://example.com/a.csv?x=1 ', 'https://example.com/a.csv?x=1'],
    ['http://192.168.1.1:8080/a', 'http://192.168.1.1:8080/a'],
    ['HTTPS://EXAMPLE.COM', 'HTTPS://EXAMPLE.COM'],
    ['s3://acme-files/out/stöck 1.csv', 's3://acme-files/out/stöck 1.csv'],
    ['s3://acme-files', noFile],
    ['s3://acme-files/out/', noFile],
    ['s3://me@acme-files/a', noBucket],
    ['s3://Acme/a', noBucket],
    ['s3://a/a', noBucket],
    ['s3:///a', noBucket],
    ['s3://acme:9000/a', noBucket],
    ['s3://x?y/a', noBucket],
    [
      `s3://acme-files/${'ö'.repeat(200)}`,
      refused('The name of the file in the bucket is too long'),
    ],
    ['s3://acme-files/a\nb', incomplete],
    ['', refused('URL is required')],
    [undefined, refused('URL is required')],
    ['example.com/a.csv', incomplete],
    ['//example.com/a.csv', incomplete],
    ['https://', incomplete],
    ['https://exa mple.com', incomplete],
    ['https://example.com/\u202Evsc.exe', incomplete],
    ['https://example.com/a\nb', incomplete],
    ['gopher://example.com/a.csv', other],
    ['file:///etc/passwd', other],
    ['javascript:alert(1)', other],
    ['data:text/csv,a', other],
    // Its rules take the user name out.
    ['https://me:secret@example.com/a.csv', 'https://me:secret@example.com/a.csv'],
    ['https://:secret@example.com/a.csv', secret],
    ['sftp://example.com/in/a.csv', 'sftp://example.com/in/a.csv'],
    ['ftps://me:secret@example.com:2990/a b.csv', 'ftps://me:secret@example.com:2990/a b.csv'],
    ['ftp+ssl://example.com/stock_*.csv', 'ftp+ssl://example.com/stock_*.csv'],
    ['sftp://example.com/', noServerFile],
    ['sftp://example.com', noServerFile],
    ['sftp:///a.csv', noServer],
    ['sftp://example.com:70000/a.csv', noServer],
    ['sftp://a b/a.csv', noServer],
    ['sftp://example.com/*/a.csv', noPattern],
    ['sftp://example.com/%2A/a.csv', noPattern],
    ['sftp://example.com:2022/in/a@b.csv', 'sftp://example.com:2022/in/a@b.csv'],
    [
      'sftp://me:12/3@example.com/a.csv',
      refused(
        'Leave the user name and password out of the address: a / in a password cannot be told from the path',
      ),
    ],
    ['sftp://example.com/a%2F', noServerFile],
    ['ftp://example.com/in\\a.csv', refused('Write / instead of \\ in the path of the file')],
    [
      'https://1drv.ms/x/s!AkQ7',
      refused(
        'Links of OneDrive and SharePoint need a sign-in, which only people can do. Instead, send the file by the upload link, or enter the address of a CSV or ZIP file.',
      ),
    ],
    [
      'https://github.com/acme/stock/blob/main/a.csv',
      'https://github.com/acme/stock/blob/main/a.csv',
    ],
    [`https://example.com/${'a'.repeat(2_048)}`, refused('URL must be at most 2048 characters')],
  ])('%j is read as %j', (value, expected) => {
    expect(read(sourceUrlSchema, value)).toEqual(expected)
  })
})
