// npm run dev: the server with reload on port 3000, and Vite's own server, which serves the client
// and passes calls on.
import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { createServer } from 'vite'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const env = { NODE_ENV: 'development', ...process.env }
const server = spawn(
  join(root, 'node_modules/.bin/tsx'),
  ['watch', '--clear-screen=false', 'src/server/main.ts'],
  { cwd: root, env, stdio: 'inherit' },
)
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
