import { spawn } from 'node:child_process'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

import { makeSshKey, type SshKeyType } from '../fixtures/ssh-keys'
import { findFreePort } from './free-port'
import { controlServer, untilListening } from './installed-program'

/** OpenSSH is started by its whole path: it starts itself anew for each connection. */
export const SSHD = '/usr/sbin/sshd'

export type InstalledSshServer = Awaited<ReturnType<typeof startInstalledSshServer>>

/** Starts an installed OpenSSH on loopback, on a free port and with a folder of its own, to which one key leads. */
export async function startInstalledSshServer(keys: SshKeyType[] = ['ed25519'], settings = '') {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-sshd-'))
  await chmod(directory, 0o755)
  const files = join(directory, 'files')
  await mkdir(files)
  await mkdir('/run/sshd', { recursive: true })
  const port = await findFreePort()
  const pairs = await Promise.all(keys.map(makeSshKey))
  const lines: string[] = []
  for (const [index, { privateKey }] of pairs.entries()) {
    const file = join(directory, `host-${index}`)
    await writeFile(file, privateKey, { mode: 0o600 })
    lines.push(`HostKey ${file}`)
  }
  const client = await makeSshKey('ed25519')
  await writeFile(join(directory, 'authorized'), `${client.publicKey}\n`)
  const config = `
ListenAddress 127.0.0.1:${port}
${lines.join('\n')}
PidFile none
AuthorizedKeysFile ${directory}/authorized
PasswordAuthentication no
PermitRootLogin yes
UsePAM no
StrictModes no
Subsystem sftp internal-sftp
ForceCommand internal-sftp -d ${files}
${settings}
`
  await writeFile(join(directory, 'config'), config)
  const child = spawn(SSHD, ['-D', '-e', '-f', join(directory, 'config')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  await untilListening(port, () => {
    if (child.exitCode !== null) throw new Error(`OpenSSH ended: ${said}`)
  })
  return {
    host: `127.0.0.1:${port}`,
    files,
    url: (path: string) => `sftp://127.0.0.1:${port}/~${path}`,
    login: { username: userInfo().username, privateKey: client.privateKey },
    /** The public keys by which it is known. */
    publicKeys: pairs.map(({ publicKey }) => publicKey),
    ...controlServer(child, { directory, files }),
  }
}
