import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { DEFAULT_THEME } from '@mantine/core'
import { describe, expect, it } from 'vitest'

import { cssVariablesResolver } from './theme'

const read = (path: string) => readFileSync(join('src/client', path))
const manifest = JSON.parse(String(read('public/manifest.webmanifest'))) as {
  icons: { src: string; sizes: string; type: string; purpose?: string }[]
  background_color: string
  theme_color: string
}
const page = String(read('index.html'))

/** The width and height in the header of a PNG file. */
const sizeOf = (file: Buffer) => `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`

describe('the installed product', () => {
  it('has icons of the sizes that its manifest says, one of them to cut shapes out of', () => {
    const pictures = manifest.icons.filter(({ type }) => type === 'image/png')
    for (const { src, sizes } of pictures) expect(sizeOf(read(`public${src}`)), src).toBe(sizes)
    expect(pictures.map(({ sizes }) => sizes)).toEqual(['192x192', '512x512', '512x512'])
    expect(pictures.at(-1)?.purpose).toBe('maskable')
  })

  it('is announced by the page, with an icon for systems that do not read manifests', () => {
    expect(page).toContain('<link rel="manifest" href="/manifest.webmanifest" />')
    const [, touch = ''] = /rel="apple-touch-icon" href="([^"]*)"/.exec(page) ?? []
    expect(sizeOf(read(`public${touch}`))).toBe('180x180')
  })

  it('has around the page the colours of its canvas, in both schemes', () => {
    const { light, dark } = cssVariablesResolver(DEFAULT_THEME)
    const canvas = (variables: Record<string, string>) => variables['--sb-canvas']
    const [, inLight] = /content="(#\w+)" media="\(prefers-color-scheme: light\)"/.exec(page) ?? []
    const [, inDark] = /content="(#\w+)" media="\(prefers-color-scheme: dark\)"/.exec(page) ?? []
    expect([inLight, inDark]).toEqual([canvas(light), canvas(dark)])
    expect([manifest.background_color, manifest.theme_color]).toEqual([inLight, inLight])
  })
})
