import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findFreePort } from './free-port'
import { controlServer, untilListening } from './installed-program'

/** What a mail server consists of, as Postfix is told. */
const SERVICES = `
postlog unix-dgram n - n - 1 postlogd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
`

/**
 * Starts an installed Postfix on loopback, with a folder of its own, which hands the mails of a domain on to a port
 * and tries again after a second.
 */
export async function startInstalledMailRelay({ domain, to }: { domain: string; to: number }) {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-postfix-'))
  // It works as users of its own.
  await chmod(directory, 0o755)
  for (const folder of ['config', 'queue', 'data']) {
    await mkdir(join(directory, folder))
    await chmod(join(directory, folder), 0o755)
  }
  spawnSync('chown', ['postfix', join(directory, 'data')])
  const port = await findFreePort()
  const master = `127.0.0.1:${port} inet n - n - - smtpd${SERVICES}`
  const main = `
compatibility_level = 3.6
queue_directory = ${directory}/queue
data_directory = ${directory}/data
maillog_file = ${directory}/queue/log
maillog_file_prefixes = ${directory}
inet_interfaces = loopback-only
inet_protocols = ipv4
myhostname = mx.example.com
mydestination =
relay_domains = ${domain}
relay_transport = smtp:[127.0.0.1]:${to}
smtp_destination_recipient_limit = 1
smtpd_relay_restrictions = reject_unauth_destination
message_size_limit = 60000000
minimal_backoff_time = 1s
maximal_backoff_time = 2s
queue_run_delay = 1s
`
  await writeFile(join(directory, 'config', 'main.cf'), main)
  await writeFile(join(directory, 'config', 'master.cf'), master)
  // Its users could not open its folders if the umask of this process said so.
  const program = ['umask 022; exec /usr/sbin/postfix -c "$0" start-fg', join(directory, 'config')]
  const child = spawn('/bin/sh', ['-c', ...program], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
  }
  await untilListening(port, () => {
    if (child.exitCode !== null) throw new Error(`Postfix ended: ${said}`)
  })
  return { port, directory, ...controlServer(child, { directory, files: directory }) }
}
