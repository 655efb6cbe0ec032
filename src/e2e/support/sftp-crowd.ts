// Programs at an SFTP server, from many addresses of this machine. Runs in its own process so that it does not slow down
// the measuring test.
// node --import tsx sftp-crowd.ts idle PORT PASSWORD COUNT USERNAME…: prints a line once so many have signed in, and stays
// node --import tsx sftp-crowd.ts flood PORT USERNAME…: tries wrong passwords until it is killed, a line for each that was heard
import { once } from 'node:events'
import { connect } from 'node:net'

import ssh from 'ssh2'

/** Each network may have so many connections that have not signed in. */
const AT_ONCE = 10
const ADDRESSES = 200

const [kind, port, ...rest] = process.argv.slice(2)
let count = 0

/** Signs in; rejects when it is not let in. */
async function signIn(username: string, password: string): Promise<void> {
  const localAddress = `127.0.1.${(count++ % ADDRESSES) + 1}`
  const sock = connect({ port: Number(port), host: '127.0.0.1', localAddress })
  sock.on('error', () => undefined)
  await once(sock, 'connect')
  const client = new ssh.Client()
  client.on('error', () => sock.destroy())
  client.connect({ sock, username, password, keepaliveInterval: 0 })
  await Promise.race([
    once(client, 'ready'),
    once(client, 'close').then(() => Promise.reject(new Error('It was not let in'))),
  ])
}

const inTurns = (next: () => Promise<void>, isDone: () => boolean) =>
  Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (!isDone()) await next()
    }),
  )

if (kind === 'idle') {
  const [password = '', wanted, ...usernames] = rest
  await inTurns(
    () => signIn(usernames[count % usernames.length] ?? '', password),
    () => count >= Number(wanted),
  )
  process.stdout.write(`${count}\n`)
} else {
  await inTurns(
    () =>
      signIn(rest[count % rest.length] ?? '', 'wrong').catch(
        () => void process.stdout.write('refused\n'),
      ),
    () => false,
  )
}
