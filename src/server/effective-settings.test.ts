import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { readConfig } from './config'
import { listEffectiveSettings } from './effective-settings'
import { environmentSchema } from './settings'

const NAMES = Object.keys(environmentSchema.shape)

const find = (values: NodeJS.ProcessEnv, name: string, inDotEnv: string[] = []) =>
  listEffectiveSettings(values, new Set(inDotEnv)).find((setting) => setting.name === name)

it('tells of every setting what is set, and where it comes from', () => {
  expect(listEffectiveSettings({}, new Set()).map(({ name }) => name)).toEqual(NAMES)
  expect(find({}, 'PORT')).toMatchObject({ value: '3000', source: 'default' })
  expect(find({ PORT: '' }, 'PORT')).toMatchObject({ value: '3000', source: 'default' })
  expect(find({ PORT: '80' }, 'PORT')).toMatchObject({ value: '80', source: 'environment' })
  expect(find({ PORT: '80' }, 'PORT', ['PORT'])).toMatchObject({ value: '80', source: 'dotenv' })
  expect(find({}, 'ADMIN_PASSWORD')).toMatchObject({ value: '', source: 'default' })
})

it('tells of what stands in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stockbridge-settings-'))
  writeFileSync(join(folder, 'name'), 'Northbeck\n')
  const { settings } = readConfig({ APP_NAME_FILE: join(folder, 'name') })
  expect(settings).toContainEqual({
    name: 'APP_NAME',
    purpose: expect.any(String) as string,
    value: 'Northbeck',
    source: 'file',
  })
  rmSync(folder, { recursive: true })
})

it('lets no secret out, not even its length', () => {
  const short = Object.fromEntries(NAMES.map((name) => [name, 'Hunter2Hunter2']))
  const long = Object.fromEntries(NAMES.map((name) => [name, 'Hunter2'.repeat(20)]))
  const secrets = NAMES.filter((name) => /SECRET|PASSWORD|KEY|TOKEN$|_CERT|HEADERS/.test(name))
  expect(secrets.length).toBeGreaterThan(12)
  for (const name of secrets) {
    expect(find(short, name)).toMatchObject({ value: null, source: 'environment' })
    expect(find(short, name)).toEqual(find(long, name))
  }
})

it('shows addresses without the logins in them', () => {
  const logins = [
    'smtp://bob:Hunter2@mail.example.com:587/x?password=Hunter2#Hunter2',
    'redis://:Hunter2@redis.example.com/2',
    'https://Hunter2@id.example.com/realm?key=Hunter2',
  ]
  const addresses = NAMES.filter((name) => /_URL$|ISSUER|ENDPOINT|FETCH_PROXY/.test(name))
  expect(addresses.length).toBeGreaterThan(8)
  for (const name of addresses) {
    for (const login of logins) {
      const shown = find({ [name]: login }, name)?.value
      expect(shown).toMatch(/example\.com/)
      expect(shown).not.toContain('Hunter2')
    }
  }
  expect(find({ SMTP_URL: logins[0] }, 'SMTP_URL')?.value).toBe('smtp://mail.example.com:587/x')
})

it.each([
  'postgres://bob:12/Hunter2@db.example.com/app',
  'postgres://bob:12#Hunter2@db.example.com/app',
  'postgres://bob:12?Hunter2@db.example.com/app',
  'postgres://bob:Hun/ter2@db.example.com/app',
  'postgres://bob:12@Hunter2/@db.example.com/app',
  'no address, but Hunter2',
])('shows nothing of an address whose parts cannot be told: %s', (text) => {
  expect(find({ DATABASE_URL: text }, 'DATABASE_URL')).toMatchObject({ value: null })
})
