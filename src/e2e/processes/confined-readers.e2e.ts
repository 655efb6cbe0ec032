import { join, resolve } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { readConfig } from '../../server/config'
import { createSupplierUser } from '../../server/testing/fixtures/factories'
import { openTestDeps } from '../../server/testing/stages/test-deps'
import { makeDataDir, removeDataDir, startProduct, type Product } from '../support/product'
import { replaceReader } from '../support/replaced-reader'
import { signIn } from '../support/seeded-data-dir'

/** Source code that attempts what an exploited parser would, and reports the results. */
const attempts = (dataDir: string) => `
  const database = ${JSON.stringify(join(dataDir, 'app.db'))}
  const drafts = ${JSON.stringify(join(dataDir, 'files/drafts'))}
  const outcome = (work) => {
    try {
      return String(work() ?? 'done')
    } catch (error) {
      return error.code
    }
  }
  const message = JSON.stringify({
    readPasswords: outcome(() => fs.readFileSync('/etc/passwd', 'utf8')),
    readDatabase: outcome(() => fs.readFileSync(database)),
    readEnvironment: outcome(() => fs.readFileSync('/proc/' + process.ppid + '/environ')),
    writeCode: outcome(() => fs.writeFileSync(${JSON.stringify(resolve('dist/written'))}, 'x')),
    writeFiles: outcome(() => fs.writeFileSync(drafts + '/../stored.csv', 'x')),
    writeDraft: outcome(() => fs.writeFileSync(drafts + '/draft', 'x')),
    startProgram: outcome(() => spawnSync('id').error?.code),
    startThread: outcome(() => new Worker('1', { eval: true })),
    loadAddon: outcome(() => process.dlopen({ exports: {} }, '/nowhere.node')),
    signalParent: outcome(() => process.kill(process.ppid, 'SIGUSR1')),
    signalByCopy: outcome(() => kill(process.ppid, 'SIGCONT')),
    signalInside: outcome(() => process._kill(process.ppid, 18)),
    signalByImport: outcome(() => nodeProcess._kill(process.ppid, 18)),
    debugParent: outcome(() => process._debugProcess(process.ppid)),
    debugByImport: outcome(() => nodeProcess._debugProcess(process.ppid)),
    bindToSystem: outcome(() => process.binding('process_methods')),
    slowParent: outcome(() => setPriority(process.ppid, 19)),
    environment: Object.keys(process.env).join(),
  })
  const failure = { kind: 'file', code: 'bad-answer', message }
  process.stdout.write(JSON.stringify({ type: 'failed', failure }) + '\\n')
`

let dataDir: string
let product: Product
let reader: Awaited<ReturnType<typeof replaceReader>>
let username: string

beforeAll(async () => {
  dataDir = await makeDataDir()
  const deps = await openTestDeps(readConfig({ DATA_DIR: dataDir }))
  username = (await createSupplierUser(deps)).username
  await deps.close()
  reader = await replaceReader(attempts(dataDir))
  product = await startProduct(
    dataDir,
    { LOG_LEVEL: 'error', SECRET: 'of the parent' },
    reader.main,
  )
})
afterAll(async () => {
  await product.stop()
  await reader.remove()
  await removeDataDir(dataDir)
})

it('confines the process that reads files to draft files, without secrets in its environment', async () => {
  const supplier = await signIn(product, username)
  const body = { url: 'http://192.0.2.1/feed.csv' }
  const { text } = await supplier.send('POST', '/api/connections/preview', body)
  const { message } = JSON.parse(text) as { message: string }
  const denied = 'ERR_ACCESS_DENIED'
  expect(JSON.parse(message)).toMatchObject({
    readPasswords: denied,
    readDatabase: denied,
    readEnvironment: denied,
    writeCode: denied,
    writeFiles: denied,
    writeDraft: 'done',
    startProgram: denied,
    startThread: denied,
    signalParent: denied,
    signalByCopy: denied,
    signalInside: denied,
    signalByImport: denied,
    debugParent: denied,
    debugByImport: denied,
    bindToSystem: denied,
    slowParent: denied,
    environment: expect.not.stringMatching(/SECRET|DATA_DIR|PASSWORD|KEY|PATH/) as string,
  })
})
