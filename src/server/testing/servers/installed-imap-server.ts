import { spawn } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findFreePort } from './free-port'
import { controlServer, untilListening } from './installed-program'
import { createAuthority } from './source-certificate'

const NOBODY = 65_534
const PASSWORD = 'secret-imap'

export type InstalledImapServer = Awaited<ReturnType<typeof startInstalledImapServer>>

/** Starts an installed Dovecot on loopback, on free ports and with a folder of its own, for one mailbox. */
export async function startInstalledImapServer(settings = '') {
  const directory = await mkdtemp(join(tmpdir(), 'stockbridge-dovecot-'))
  // The server reads below it as other users.
  await chmod(directory, 0o755)
  const mailbox = join(directory, 'mail')
  for (const folder of ['', 'tmp', 'new', 'cur']) {
    await mkdir(join(mailbox, folder))
    await chown(join(mailbox, folder), NOBODY, NOBODY)
  }
  const authority = createAuthority()
  const { key, cert } = authority.issue('localhost')
  await writeFile(join(directory, 'key.pem'), key, { mode: 0o600 })
  await writeFile(join(directory, 'cert.pem'), cert)
  const [plainPort, port] = [await findFreePort(), await findFreePort()]
  const file = join(directory, 'config')
  await writeFile(file, toConfig({ directory, mailbox, plainPort, port, settings }))
  const start = async () => {
    const child = spawn('/usr/sbin/dovecot', ['-F', '-c', file], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    await untilListening(port, () => {
      if (child.exitCode !== null) throw new Error(`Dovecot ended: ${said}`)
    })
    return controlServer(child, { directory, files: mailbox })
  }
  let running = await start()
  let delivered = 0
  return {
    host: 'localhost',
    port,
    /** Where encryption begins with STARTTLS. */
    plainPort,
    username: 'inbox@in.example.com',
    password: PASSWORD,
    /** The certificate to trust. */
    certificate: authority.cert,
    /** Puts a mail into the mailbox, as a mail server does. */
    async deliver(source: string | Buffer) {
      const name = `${1_700_000_000 + ++delivered}.M1P1.localhost`
      const draft = join(mailbox, 'tmp', name)
      await writeFile(draft, source)
      await chown(draft, NOBODY, NOBODY)
      await rename(draft, join(mailbox, 'new', name))
    },
    /** The flags of all mails in a folder, the oldest first: `S` is seen, `F` flagged. */
    async readFlags(folder = '') {
      const place = join(mailbox, folder)
      const names = await Promise.all(
        ['new', 'cur'].map((part) => readdir(join(place, part)).catch(() => [])),
      )
      const flags = (name: string) => (name.split(':2,')[1] ?? '').replaceAll(/[a-z]/g, '')
      return names.flat().toSorted().map(flags)
    },
    freeze: () => running.freeze(),
    /** Ends it with all its connections, and starts it again. */
    async restart() {
      await running.kill()
      running = await start()
    },
    close: () => running.close(),
  }
}

type Place = {
  directory: string
  mailbox: string
  plainPort: number
  port: number
  settings: string
}

const toConfig = ({ directory, mailbox, plainPort, port, settings }: Place) => `
base_dir = ${directory}/run
state_dir = ${directory}/state
log_path = ${directory}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${directory}/cert.pem
ssl_key = <${directory}/key.pem
mail_location = maildir:${mailbox}
mail_uid = nobody
mail_gid = nogroup
first_valid_uid = 1
auth_mechanisms = plain
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${directory}
}
service imap-login {
  inet_listener imap {
    port = ${plainPort}
  }
  inet_listener imaps {
    port = ${port}
  }
}
${settings}
`
