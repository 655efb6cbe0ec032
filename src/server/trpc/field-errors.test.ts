import { TRPCError } from '@trpc/server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'

import {
  createAdmin,
  createLinkedRetailer,
  createSupplierUser,
  PASSWORD,
} from '../testing/fixtures/factories'
import { openTestApp, type Client, type TestApp } from '../testing/stages/test-app'
import { describeError } from './describe-error'

let testApp: TestApp
beforeEach(async () => {
  testApp = await openTestApp()
})
afterEach(() => testApp.close())

/** The field errors of a refused call: messages by field. */
async function fieldErrorsOf(client: Client, procedure: string, input: object) {
  const { body } = await client.call('mutation', procedure, input)
  return (body as { error: { data: { fieldErrors?: unknown } } }).error.data.fieldErrors
}

const feed = {
  name: 'Feed',
  type: 'URL',
  fileFormat: 'CSV',
  syncFrequency: 60,
  config: { url: 'https://example.com/a.csv' },
}

describe('a refusal over tRPC', () => {
  it('names each invalid field of the input', async () => {
    const supplier = await testApp.signIn(await createSupplierUser(testApp.deps))
    const config = { url: 'gopher://example.com', auth: { type: 'basic', username: '' } }
    const input = { ...feed, name: ' ', config }
    expect(await fieldErrorsOf(supplier, 'connections.create', input)).toEqual({
      name: 'Connection name is required',
      'config.url': 'Only http, https, s3, sftp, ftp and ftps addresses can be used',
      'config.auth.username': 'User name is required',
    })
  })

  it.each([
    [{ type: 'basic', username: 'acme' }, 'password', 'Password is required'],
    [{ type: 'bearer' }, 'token', 'Token is required'],
    [{ type: 'header', name: 'X-Api-Key' }, 'value', 'Header value is required'],
  ])('names the missing secret of %j by its path in each call', async (auth, field, message) => {
    const supplier = await testApp.signIn(await createSupplierUser(testApp.deps))
    const { url } = feed.config
    const created = { ...feed, config: { url, auth } }
    expect(await fieldErrorsOf(supplier, 'connections.create', created)).toEqual({
      [`config.auth.${field}`]: message,
    })
    expect(await fieldErrorsOf(supplier, 'connections.previewSource', { url, auth })).toEqual({
      [`auth.${field}`]: message,
    })
    await supplier.call('mutation', 'connections.create', feed)
    const { id } = await testApp.deps.db
      .selectFrom('connections')
      .select('id')
      .executeTakeFirstOrThrow()
    const changed = { id, config: { url, auth } }
    expect(await fieldErrorsOf(supplier, 'connections.update', changed)).toEqual({
      [`config.auth.${field}`]: message,
    })
  })

  it('names the index of an invalid category', async () => {
    const owner = await createSupplierUser(testApp.deps)
    const { id } = await createLinkedRetailer(testApp.deps, owner)
    const supplier = await testApp.signIn(owner)
    const visibilitySettings = { allProducts: false, categories: ['Boots', ' '] }
    expect(await fieldErrorsOf(supplier, 'retailers.update', { id, visibilitySettings })).toEqual({
      'visibilitySettings.categories.1': 'A category has no name',
    })
  })

  it('names at most twenty fields', async () => {
    const owner = await createSupplierUser(testApp.deps)
    const { id } = await createLinkedRetailer(testApp.deps, owner)
    const supplier = await testApp.signIn(owner)
    const visibilitySettings = { allProducts: false, categories: Array(10_000).fill(' ') }
    const named = await fieldErrorsOf(supplier, 'retailers.update', { id, visibilitySettings })
    expect(Object.keys(named as object)).toHaveLength(20)
  })

  it('names the field that violates a business rule', async () => {
    const admin = await testApp.signIn(await createAdmin(testApp.deps))
    const owner = await createSupplierUser(testApp.deps)
    const { user } = await createLinkedRetailer(testApp.deps, owner)
    const supplier = await testApp.signIn(owner)
    const taken = { username: owner.username.toUpperCase(), password: PASSWORD }
    const company = { companyName: 'Acme', contactEmail: 'acme@example.com' }
    const usernameTaken = { username: 'This username is already taken' }
    expect(
      await fieldErrorsOf(testApp.client(), 'session.register', { ...taken, ...company }),
    ).toEqual(usernameTaken)
    expect(await fieldErrorsOf(admin, 'suppliers.create', { ...taken, ...company })).toEqual(
      usernameTaken,
    )
    expect(await fieldErrorsOf(admin, 'connections.create', feed)).toEqual({
      supplierId: 'supplierId is required',
    })
    const linked = { userId: user.id, storeName: 'Corner Shop' }
    expect(await fieldErrorsOf(supplier, 'retailers.create', linked)).toEqual({
      userId: 'This user is already linked to a retailer',
    })
    const passwords = { currentPassword: 'wrong', newPassword: PASSWORD }
    expect(await fieldErrorsOf(supplier, 'session.changePassword', passwords)).toEqual({
      currentPassword: 'Current password is incorrect',
    })
  })

  it('names no field when the error is not about one', async () => {
    const supplier = await testApp.signIn(await createSupplierUser(testApp.deps))
    await supplier.call('mutation', 'connections.create', feed)
    const { body } = await supplier.call('mutation', 'connections.create', feed)
    expect(body).toEqual({
      error: {
        message: 'A supplier can have only one connection',
        code: expect.any(Number) as number,
        data: { code: 'CONFLICT', httpStatus: 409 },
      },
    })
    expect(await fieldErrorsOf(supplier, 'connections.create', [])).toBeUndefined()
  })
})

describe('the same refusal over REST', () => {
  it('contains only the message', async () => {
    const owner = await createSupplierUser(testApp.deps)
    const supplier = await testApp.signIn(owner)
    const wrong = { ...feed, name: '', config: { url: '' } }
    const invalid = await supplier.request('POST', '/api/connections', wrong)
    expect(invalid.text).toBe('{"message":"Connection name is required"}')
    const passwords = { currentPassword: 'wrong', newPassword: PASSWORD }
    const refused = await supplier.request('POST', '/api/admin/reset-password', passwords)
    expect(refused.text).toBe('{"message":"Current password is incorrect"}')
  })
})

describe('an unexpected error', () => {
  const schemaError = z.object({ secret: z.string() }).safeParse({ secret: 1 }).error

  it.each([
    [
      'an output that does not match its schema',
      new TRPCError({ code: 'INTERNAL_SERVER_ERROR', cause: schemaError }),
    ],
    ['a schema error thrown inside a rule', schemaError],
    ['a bug', Object.assign(new Error('at row 7'), { field: 'secret' })],
  ])('names no field and reveals nothing: %s', (_what, error) => {
    expect(describeError(error)).toEqual({ status: 500, message: 'Internal server error' })
  })
})
