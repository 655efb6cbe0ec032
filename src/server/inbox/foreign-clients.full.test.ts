import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { isInstalled } from '../testing/servers/installed-program'
import { DROP_PASSWORD, openInboxStage, type InboxStage } from '../testing/stages/inbox-stage'

const CSV = `sku,qty\r\n${Array.from({ length: 30_000 }, (_, row) => `${row},5\r\n`).join('')}`

let stage: InboxStage
let folder: string
beforeEach(async () => {
  stage = await openInboxStage()
  folder = await mkdtemp(join(tmpdir(), 'stockbridge-client-'))
  await writeFile(join(folder, 'stock.csv'), CSV)
  await writeFile(join(folder, 'key'), stage.key.privateKey, { mode: 0o600 })
})
afterEach(async () => {
  await stage.close()
  await rm(folder, { recursive: true })
})

async function run(program: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder, env: { HOME: folder, PATH: process.env.PATH }, timeout: 60_000 }
  const { stdout } = await promisify(execFile)(program, args, options)
  return stdout
}

// Nothing is left in the files of whoever runs the tests.
const SSH = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'LogLevel=ERROR']
const toOptions = (options: readonly string[]) => options.flatMap((option) => ['-o', option])

async function sftp(user: string, ...commands: string[]): Promise<string> {
  await writeFile(join(folder, 'batch'), `${commands.join('\n')}\n`)
  return run(
    'sftp',
    ...toOptions(SSH),
    '-P',
    String(stage.port),
    '-i',
    'key',
    '-b',
    'batch',
    `${user}@127.0.0.1`,
  )
}
function lftp(commands: string): Promise<string> {
  const settings = [
    'set sftp:auto-confirm yes',
    `set sftp:connect-program "ssh -a -x ${toOptions(SSH).join(' ')}"`,
    'set net:max-retries 1',
  ]
  return run(
    'lftp',
    '-u',
    `drop,${DROP_PASSWORD}`,
    '-e',
    [...settings, commands, 'bye'].join('; '),
    `sftp://127.0.0.1:${stage.port}`,
  )
}
const curl = (...args: string[]) => run('curl', '-sS', '-k', '-u', `drop:${DROP_PASSWORD}`, ...args)

async function published() {
  await stage.deps.work()
  return stage.publishedText()
}

describe.skipIf(!isInstalled('sftp'))('sftp of OpenSSH', () => {
  it('puts a file, with its time, and sees its verdict', async () => {
    await sftp('drop', 'put -p stock.csv')
    expect(await published()).toBe(CSV)
    expect(await sftp('drop', 'ls -l')).toContain('stock.csv.PUBLISHED.txt')
  })

  it('puts a file under another name, and renames it', async () => {
    await sftp(
      'drop',
      'put stock.csv stock.csv.part',
      '-rm stock.csv',
      'rename stock.csv.part stock.csv',
    )
    expect(await published()).toBe(CSV)
  })

  it('fetches the file of a retailer', async () => {
    await stage.send('stock.csv', CSV)
    await stage.deps.work()
    await sftp('shop', 'get /inventory/inventory.csv got.csv')
    expect(await readFile(join(folder, 'got.csv'), 'utf8')).toBe(CSV)
  })

  it('neither goes on with a file nor reads one that was sent', async () => {
    await sftp('drop', 'put stock.csv')
    for (const command of [
      'get stock.csv back.csv',
      'get /etc/passwd',
      'mkdir in',
      'rename stock.csv a.csv',
    ]) {
      await expect(sftp('drop', command)).rejects.toThrow('Command failed')
    }
  })
})

describe.skipIf(!isInstalled('lftp'))('lftp', () => {
  it('puts a file', async () => {
    await lftp('put stock.csv')
    expect(await published()).toBe(CSV)
  })

  it('puts a file under a temporary name', async () => {
    await lftp('set xfer:use-temp-file yes; put stock.csv')
    expect(await published()).toBe(CSV)
  })

  it('mirrors a folder', async () => {
    await run('mkdir', 'out')
    await run('cp', 'stock.csv', 'out/')
    await lftp('mirror -R out /')
    expect(await published()).toBe(CSV)
  })
})

describe.skipIf(!isInstalled('curl'))('curl', () => {
  it.each([[[]], [['--ftp-create-dirs']]])('puts a file, with %j', async (options) => {
    await curl(...options, '-T', 'stock.csv', `sftp://127.0.0.1:${stage.port}/`)
    expect(await published()).toBe(CSV)
  })

  it('is told that there are no folders', async () => {
    const url = `sftp://127.0.0.1:${stage.port}/in/stock.csv`
    await expect(curl('--ftp-create-dirs', '-T', 'stock.csv', url)).rejects.toThrow('denied')
  })
})
