import { once } from 'node:events'

import ssh, { type Client, type ConnectConfig, type SFTPWrapper } from 'ssh2'

import { inTransaction } from '../../db/open'
import { hashSecretToken } from '../../domain/secret-token'
import { openInbox } from '../../inbox/inbox-process'
import { createLinkedRetailer } from '../fixtures/factories'
import { makeSshKey } from '../fixtures/ssh-keys'
import { openByHandStage } from './by-hand-stage'

export type InboxStage = Awaited<ReturnType<typeof openInboxStage>>

export const DROP_PASSWORD = 'drop-box-password'
const SHOP_PASSWORD = 'the password of a shop'

/** A supplier with a drop box and a retailer who fetches, at an inbox in a process of its own. */
export async function openInboxStage(maxFileBytes = 1_000_000) {
  const key = await makeSshKey('ed25519')
  const stage = await openByHandStage(
    {},
    {
      maxFileBytes,
      sftp: {
        host: 'localhost',
        port: 0,
        listenHost: '127.0.0.1',
        hostKeys: (await makeSshKey('ed25519')).privateKey,
        hostKeyFile: '/nowhere',
      },
    },
  )
  const { deps, supplier, id } = stage
  const retailer = await createLinkedRetailer(deps, supplier)
  const addLogin = (
    login: { connectionId?: number; retailerId?: number },
    username: string,
    password: string,
  ) =>
    inTransaction(deps.db, (trx) =>
      trx
        .insertInto('sftpLogins')
        .values({
          connectionId: null,
          retailerId: null,
          ...login,
          username,
          passwordHash: hashSecretToken(password),
          publicKeys: [`${key.publicKey} laptop`],
          createdAt: deps.clock.now(),
        } as never)
        .execute(),
    )
  await addLogin({ connectionId: id }, 'drop', DROP_PASSWORD)
  await addLogin({ retailerId: retailer.id }, 'shop', SHOP_PASSWORD)
  const inbox = openInbox(deps)!
  const port = await inbox.listening
  const clients: Client[] = []

  async function connect(options: ConnectConfig = {}): Promise<Client> {
    const client = new ssh.Client()
    clients.push(client)
    const ready = once(client, 'ready')
    client.connect({
      host: '127.0.0.1',
      port,
      username: 'drop',
      password: DROP_PASSWORD,
      ...options,
    })
    client.on('error', () => undefined)
    await ready
    return client
  }
  const openSftp = async (options?: ConnectConfig) => toPromises(await connect(options))

  return {
    ...stage,
    key,
    retailer,
    inbox,
    port,
    connect,
    lastClient: () => clients.at(-1)!,
    /** Signs in and opens the drop box. */
    drop: () => openSftp(),
    shop: () => openSftp({ username: 'shop', password: SHOP_PASSWORD }),
    async close() {
      for (const client of clients) client.end()
      await inbox.close()
      await stage.close()
    },
  }
}

/** The requests of a client, which reject with what the server says. */
async function toPromises(client: Client) {
  const sftp = await new Promise<SFTPWrapper>((resolve, reject) => {
    client.sftp((error, opened) => (error ? reject(error) : resolve(opened)))
  })
  const call = <T>(start: (done: (error: Error | null | undefined, value?: T) => void) => void) =>
    new Promise<T>((resolve, reject) => {
      start((error, value) => (error ? reject(error) : resolve(value as T)))
    })
  const open = (path: string, flags: string) =>
    call<Buffer>((done) => sftp.open(path, flags as 'r', done))
  const write = (handle: Buffer, at: number, text: string) =>
    call<void>((done) =>
      sftp.write(handle, Buffer.from(text), 0, Buffer.byteLength(text), at, done),
    )
  const close = (handle: Buffer) => call<void>((done) => sftp.close(handle, done))
  return {
    client,
    sftp,
    open,
    write,
    close,
    async put(path: string, text: string) {
      const handle = await open(path, 'w')
      await write(handle, 0, text)
      await close(handle)
    },
    read: (path: string) => call<Buffer>((done) => sftp.readFile(path, done)).then(String),
    list: async (path = '/') =>
      (await call<{ filename: string }[]>((done) => sftp.readdir(path, done)))
        .map(({ filename }) => filename)
        .toSorted(),
    look: (path: string) => call<ssh.Stats>((done) => sftp.stat(path, done)),
    rename: (from: string, to: string) => call<void>((done) => sftp.rename(from, to, done)),
    remove: (path: string) => call<void>((done) => sftp.unlink(path, done)),
    makeFolder: (path: string) => call<void>((done) => sftp.mkdir(path, done)),
    resolve: (path: string) => call<string>((done) => sftp.realpath(path, done)),
    setTimes: (path: string, at: number) => call<void>((done) => sftp.utimes(path, at, at, done)),
  }
}
