import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import packageJson from '../../../package.json'
import { findCurrentBuild } from '../../../scripts/current-build.mjs'

const pathOf = (name: string) => join(findCurrentBuild('dist') ?? '', name)
const read = (side: string) => readFile(pathOf(`${side}/third-party-notices.txt`), 'utf8')

/** Each package has a line of its own. */
const namesIn = (notices: string) => new Set(notices.split('\n'))

describe('the build', () => {
  it('has the licences of what browsers get, and only of that', async () => {
    const names = namesIn(await read('client'))
    for (const name of ['react', 'react-dom', '@mantine/core', 'zod', 'vite']) {
      expect(names).toContain(name)
    }
    expect(names).toContain('@fontsource-variable/inter')
    for (const name of ['fastify', 'kysely', 'pg']) expect(names).not.toContain(name)
    expect(await readdir(pathOf('client'))).toContain('third-party-notices.txt.br')
  })

  it('has the licences of all packages that the server needs', async () => {
    const names = namesIn(await read('server'))
    for (const name of Object.keys(packageJson.dependencies)) expect(names).toContain(name)
    expect(names).not.toContain('vitest')
  })
})
