// npm run dev: the server with reload on port 3000, and Vite's dev server, which serves the client
// and proxies API calls to it.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { WITHOUT_DEBUGGER } from './runtime.mjs'

// Imported dynamically, because runtime.mjs must check the Node version first.
const { createServer } = await import('vite')

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const options = [process.env.NODE_OPTIONS, ...WITHOUT_DEBUGGER].filter(Boolean).join(' ')
const env = { NODE_ENV: 'development', ...process.env, NODE_OPTIONS: options }
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs')
const args = [tsx, 'watch', '--clear-screen=false', 'src/server/start/main.ts']
const server = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' })
const vite = await createServer({ configFile: join(root, 'vite.config.ts') })
await vite.listen()
vite.printUrls()

for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    server.kill(signal)
    void vite.close()
  })
}
server.once('exit', (code) => {
  void vite.close().then(() => process.exit(code ?? 0))
})
