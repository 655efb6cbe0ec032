import { describe, expect, it } from 'vitest'

import {
  changePasswordFormSchema,
  changePasswordInput,
  loginInput,
  registerInput,
  registrationFormSchema,
} from './user'

const account = {
  username: 'acme',
  password: 'correct horse',
  companyName: 'Acme',
  contactEmail: 'a@acme.example',
}

/** The first message on each field. */
function problemsOf(result: { error?: { issues: { path: PropertyKey[]; message: string }[] } }) {
  const issues = result.error?.issues ?? []
  const problems: Record<string, string> = {}
  for (const { path, message } of issues) problems[path.join('.')] ??= message
  return problems
}

describe('the login form', () => {
  it('requires both fields', () => {
    expect(problemsOf(loginInput.safeParse({ username: ' ', password: '' }))).toEqual({
      username: 'Username is required',
      password: 'Password is required',
    })
  })

  it('keeps a password unchanged, even a short one, with its spaces', () => {
    expect(loginInput.parse({ username: ' a ', password: ' b ' })).toEqual({
      username: 'a',
      password: ' b ',
    })
  })
})

describe('a registration', () => {
  it('is for a supplier by default', () => {
    expect(registerInput.parse(account)).toMatchObject({ role: 'SUPPLIER' })
  })

  it('of a supplier requires a company name and an email address', () => {
    const bare = { username: 'acme', password: 'correct horse' }
    const expected = {
      companyName: 'Company name is required',
      contactEmail: 'Invalid email address',
    }
    expect(problemsOf(registerInput.safeParse(bare))).toEqual(expected)
    const nulls = { ...bare, companyName: null, contactEmail: null }
    expect(problemsOf(registerInput.safeParse(nulls))).toEqual(expected)
  })

  it('of a retailer requires neither', () => {
    const bare = { username: 'shop', password: 'correct horse', role: 'RETAILER' }
    expect(registerInput.safeParse(bare).success).toBe(true)
  })

  it('is refused with an unknown role', () => {
    expect(problemsOf(registerInput.safeParse({ ...account, role: 'BOSS' }))).toEqual({
      role: 'Role must be SUPER_ADMIN, SUPPLIER or RETAILER',
    })
  })

  it('drops unknown fields', () => {
    const parsed = registerInput.parse({ ...account, isActive: false, googleUid: 'x', id: 1 })
    expect(Object.keys(parsed).toSorted()).toEqual([
      'companyName',
      'contactEmail',
      'password',
      'role',
      'username',
    ])
  })

  it('in the form reports every empty field', () => {
    const empty = { username: '', password: '', companyName: '', contactEmail: '' }
    expect(problemsOf(registrationFormSchema.safeParse(empty))).toEqual({
      username: 'Username is required',
      password: 'Password must be at least 6 characters',
      companyName: 'Company name is required',
      contactEmail: 'Invalid email address',
    })
  })
})

describe('a change of one’s own password', () => {
  it.each([
    ['', 'another horse', { currentPassword: 'Current password is required' }],
    [undefined, 'another horse', { currentPassword: 'Current password is required' }],
    ['old', '12345', { newPassword: 'Password must be at least 6 characters' }],
    ['old', 'x'.repeat(257), { newPassword: 'Password must be at most 256 characters' }],
    ['old', 'horse \uD83D', { newPassword: 'Password contains characters that are not allowed' }],
    ['old', undefined, { newPassword: 'Password is required' }],
    ['old', 1_234_567, { newPassword: 'Password is required' }],
  ])('from %j to %j reports %j', (currentPassword, newPassword, problems) => {
    const input = { currentPassword, newPassword }
    expect(problemsOf(changePasswordInput.safeParse(input))).toEqual(problems)
  })
})

describe('the Change Password dialog', () => {
  it.each([
    [['old', 'correct horse', 'correct horse'], {}],
    [
      ['', '', ''],
      {
        currentPassword: 'Current password is required',
        newPassword: 'Password must be at least 6 characters',
        confirmPassword: 'Please confirm your password',
      },
    ],
    [['old', '12345', '12345'], { newPassword: 'Password must be at least 6 characters' }],
    [['old', 'correct horse', 'correct house'], { confirmPassword: "Passwords don't match" }],
    [['old', 'correct horse', 'correct horse '], { confirmPassword: "Passwords don't match" }],
  ])('with %j reports %j', ([currentPassword, newPassword, confirmPassword], problems) => {
    const form = { currentPassword, newPassword, confirmPassword }
    expect(problemsOf(changePasswordFormSchema.safeParse(form))).toEqual(problems)
  })
})
