import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

import { describe, expect, it } from 'vitest'

import { readConfig } from '../src/server/config'
import { describeInEnvironment, describeInMarkdown } from './settings-documents'

describe('the settings', () => {
  it('are described in docs/configuration.md', async () => {
    await expect(describeInMarkdown()).toMatchFileSnapshot('../docs/configuration.md')
  })

  it('are described in .env.example', async () => {
    await expect(describeInEnvironment()).toMatchFileSnapshot('../.env.example')
  })

  it('have their defaults in .env.example', () => {
    const read = (environment: NodeJS.ProcessEnv) => {
      // They come from elsewhere.
      const { settings, ...config } = readConfig(environment)
      return { ...config, values: settings.map(({ name, value }) => ({ name, value })) }
    }
    expect(read(parseEnv(readFileSync('.env.example', 'utf8')))).toEqual(read({}))
  })
})
