// Builds what is missing or stale, then runs one of the programs named in vite.config.ts, here in
// this process: npm start is `run.mjs main`.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = 'main'] = process.argv.splice(2, 1)
const program = join(root, 'dist/server', `${name}.js`)

/** @param {string} path @returns {number} when the newest file at or below the path was changed */
function newestChange(path) {
  const stats = statSync(path)
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(0, ...readdirSync(path).map((child) => newestChange(join(path, child))))
}

function isStale() {
  const outputs = [program, join(root, 'dist/client/index.html')]
  if (!outputs.every((path) => existsSync(path))) return true
  // An installation without sources runs what was built.
  if (!existsSync(join(root, 'src'))) return false
  const inputs = ['src', 'scripts', 'package-lock.json', 'vite.config.ts', 'tsconfig.json']
  const changed = Math.max(...inputs.map((path) => newestChange(join(root, path))))
  return outputs.some((path) => statSync(path).mtimeMs < changed)
}

if (isStale()) {
  process.stderr.write('Building …\n')
  const { createBuilder } = await import('vite')
  const builder = await createBuilder(
    { configFile: join(root, 'vite.config.ts'), logLevel: 'warn' },
    null,
  )
  await builder.buildApp()
}
await import(program)
