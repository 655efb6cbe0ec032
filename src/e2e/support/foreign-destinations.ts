import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { CreateBucketCommand, GetObjectCommand, S3Client } from '@aws-sdk/client-s3'

import { startS3Server } from '../../server/testing/servers/s3-server'
import {
  INSTALLED_DESTINATIONS,
  type InstalledDestination,
} from '../../server/testing/stages/installed-destinations'
import { startFileReceiver } from './file-receiver'

/** A place outside the product to which its files are sent. */
export interface ForeignDestination {
  /** What the product is started with to reach it. */
  env: Record<string, string>
  /** How it is entered. */
  entered: object
  /** The hash of what it has under the final name of a file. */
  read: (fileName: string) => Promise<string>
  close: () => Promise<void>
}

async function hashOfStream(stream: NodeJS.ReadableStream): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(stream, hash)
  return hash.digest('hex')
}

/** As people enter a folder at an installed server. */
export function enterInstalled({ address, access }: InstalledDestination) {
  const { hostKeys = [], usesTls = false, login } = access ?? {}
  return {
    config: {
      url: address,
      ...(login?.privateKey !== undefined && {
        auth: { type: 'ssh-key', username: login.username, privateKey: login.privateKey },
      }),
      transfer: { hostKeys, usesTls },
    },
  }
}

async function openInstalled(start: () => Promise<InstalledDestination>) {
  const server = await start()
  const trusted = await mkdtemp(join(tmpdir(), 'stockbridge-trusted-'))
  const file = join(trusted, 'ca.pem')
  await writeFile(file, server.ca ?? '')
  const { host } = new URL(server.address)
  return {
    env: {
      FETCH_ALLOW: [host, '127.0.0.1'].join(),
      ...(server.ca !== undefined && { NODE_EXTRA_CA_CERTS: file }),
    },
    entered: enterInstalled(server),
    read: (name: string) => hashOfStream(createReadStream(join(server.folder, name))),
    async close() {
      await server.close()
      await rm(trusted, { recursive: true })
    },
  }
}

async function openBucket() {
  const server = await startS3Server()
  const { endpoint, region, accessKeyId, secretAccessKey } = server
  const credentials = { accessKeyId, secretAccessKey }
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials })
  await client.send(new CreateBucketCommand({ Bucket: 'shop.files' }))
  return {
    env: { FETCH_ALLOW: new URL(endpoint).host },
    entered: {
      config: { url: 's3://shop.files/in', auth: { type: 's3', ...credentials, region, endpoint } },
    },
    async read(name: string) {
      const Key = `in/${name}`
      const { Body } = await client.send(new GetObjectCommand({ Bucket: 'shop.files', Key }))
      return hashOfStream(Body as NodeJS.ReadableStream)
    },
    async close() {
      client.destroy()
      await server.close()
    },
  }
}

async function openWeb() {
  const server = await startFileReceiver()
  return {
    env: { FETCH_ALLOW: server.host },
    entered: { config: { url: server.url } },
    read: async (name: string) =>
      server.received.findLast(({ path }) => path === `/in/${name}`)?.sha256 ?? '',
    close: server.close,
  }
}

type Kind = { name: string; isThere: boolean; open: () => Promise<ForeignDestination> }

export const FOREIGN_DESTINATIONS: Kind[] = [
  ...INSTALLED_DESTINATIONS.map(({ name, isThere, start }) => ({
    name,
    isThere,
    open: () => openInstalled(start),
  })),
  { name: 'S3', isThere: true, open: openBucket },
  { name: 'a web address', isThere: true, open: openWeb },
]
