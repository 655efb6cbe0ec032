import type { Client, ConnectConfig } from 'ssh2'

import { inTransaction } from '../../db/open'
import { hashSecretToken } from '../../domain/secret-token'
import { openInbox } from '../../inbox/inbox-process'
import { createLinkedRetailer } from '../fixtures/factories'
import { connectSsh, openSftpOf } from '../fixtures/sftp-client'
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
    const client = await connectSsh({ port, username: 'drop', password: DROP_PASSWORD, ...options })
    clients.push(client)
    return client
  }
  const openSftp = async (options?: ConnectConfig) => openSftpOf(await connect(options))

  return {
    ...stage,
    key,
    retailer,
    inbox,
    port,
    connect,
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
