// npm run icons: draws the icons of the installed product from its logo, in src/client/public.
import './runtime.mjs'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { chromium } from 'playwright-core'

import { ensureChromium } from './system-programs.mjs'

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'src/client/public')
const logo = readFileSync(join(folder, 'favicon.svg'), 'utf8')
/** Systems cut a shape of their own out of these: the ground fills the square, with room around the logo. */
const filled = logo
  .replace('viewBox="0 0 32 32"', 'viewBox="-5 -5 42 42"')
  .replace('<rect width="32" height="32" rx="8"', '<rect x="-5" y="-5" width="42" height="42"')

const ICONS = [
  { name: 'icon-192', size: 192, svg: logo },
  { name: 'icon-512', size: 512, svg: logo },
  { name: 'maskable-512', size: 512, svg: filled },
  { name: 'apple-touch-180', size: 180, svg: filled },
]

const { path: executablePath, problem } = ensureChromium()
if (!executablePath) throw new Error(problem)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage()
for (const { name, size, svg } of ICONS) {
  await page.setContent(
    `<style>body { margin: 0 } svg { display: block; width: ${size}px }</style>${svg}`,
  )
  const clip = { x: 0, y: 0, width: size, height: size }
  await page.screenshot({ path: join(folder, `${name}.png`), clip, omitBackground: true })
}
await browser.close()
