import type { Readable } from 'node:stream'

import type * as Sdk from '@aws-sdk/client-s3'

import { mapLimited } from '../../concurrency/map-limited'
import type { ByteRange, ResponseHeaders } from '../file-store'
import { target, type Access } from './access'
import { endWhenIdle } from './idle-limit'
import { createPutNew, put } from './put-objects'
import { isMissingObject, isRefused, missingObject, toStoreError } from './store-errors'

/** Where objects are, and how they are reached. */
export type BucketPlace = {
  bucket: string
  /** Before the names of all objects: empty, or with a slash at its end. */
  prefix: string
  /** Of a server that is not Amazon's. */
  endpoint: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
}

type ObjectInfo = {
  sizeBytes: number
  /** When it was last put or renewed, in Unix milliseconds by the server's clock. */
  putAt: number
}

/**
 * The objects of a bucket, by their names after the prefix. All methods throw UnreachableStoreError when the
 * server does not answer or refuses.
 */
export interface Bucket {
  /** Puts a file under a name; until this resolves, nothing is visible there. */
  put(name: string, path: string): Promise<void>
  /**
   * The same, if there is no object of this name; one that there is stays as it is.
   * @returns whether it was put; it may not have been though there is none, so that `find` has to be asked
   */
  putNew(name: string, path: string): Promise<boolean>
  /**
   * Copies an object of another bucket of the server, which need not be sent for that.
   * @returns whether it was: there may be none, or it is so large that the server refuses or does not answer in time
   */
  copyFrom(
    source: Pick<BucketPlace, 'bucket' | 'prefix'>,
    from: string,
    to: string,
  ): Promise<boolean>
  /** Makes an object new without sending it again. @throws an error with code ENOENT if there is none */
  renew(name: string): Promise<void>
  /** @throws an error with code ENOENT if there is none */
  read(name: string, range?: ByteRange): Promise<Readable>
  /** Returns undefined if there is none. */
  find(name: string): Promise<ObjectInfo | undefined>
  /** Deletes an object if there is one. */
  delete(name: string): Promise<void>
  /**
   * Deletes any number of objects, as far as there are any: up to 1,000 in a request, where the server takes such
   * requests. It ends only when nothing is being deleted any more, also when it fails.
   */
  deleteAll(names: readonly string[]): Promise<void>
  /** All objects whose names begin with `start`, in the order of their names: those after `after`. */
  list(
    start: string,
    after?: string,
  ): AsyncIterable<{ name: string; sizeBytes: number; putAt: number }>
  /** Ends uploads that were begun before an instant and never completed; returns how many. */
  abortUploads(before: number): Promise<number>
  /** An address from which anybody can read the object for a number of seconds. */
  presign(name: string, seconds: number, headers: ResponseHeaders): Promise<string>
  /** @throws UnreachableStoreError when the bucket cannot be used */
  check(): Promise<void>
  /** The server's clock, in Unix milliseconds; null when it does not tell. */
  readClock(): Promise<number | null>
  close(): void
}

const CONNECT_WITHIN_MS = 3_000
/** Until an answer begins: with the second attempt less than proxies wait for ours. */
const ANSWER_WITHIN_MS = 4_000
/** Until a part of an upload has been taken. */
const SEND_WITHIN_MS = 15_000
const MAX_ATTEMPTS = 2
const MAX_SOCKETS = 64
/** Half of those that a process has open to the server: others send and read files meanwhile. */
export const REQUESTS_AT_ONCE = MAX_SOCKETS / 2
/** More are not taken in a request. */
const DELETED_IN_A_REQUEST = 1_000

/** Opens a bucket without asking the server anything. The client library is loaded only now. */
export async function openBucket(
  place: BucketPlace,
  { answerWithinMs = ANSWER_WITHIN_MS, sendWithinMs = SEND_WITHIN_MS } = {},
): Promise<Bucket> {
  const sdk = await import('@aws-sdk/client-s3')
  const client = new sdk.S3Client(toSettings(place, answerWithinMs))
  const sender = new sdk.S3Client(toSettings(place, sendWithinMs))
  const { bucket: Bucket, prefix } = place
  const access = { sdk, client, sender, Bucket, prefix }
  return {
    put: (name, path) => put(access, name, path),
    putNew: createPutNew(access),
    copyFrom: (source, from, to) => copyFrom(access, toSource(source, from), to),
    renew: (name) => renew(access, name),
    async read(name, range) {
      const command = new sdk.GetObjectCommand({
        ...target(access, name),
        ...(range && { Range: `bytes=${range.start}-${range.end}` }),
      })
      const { Body, ContentLength } = await client.send(command).catch(throwMissing(name))
      return endWhenIdle(Body as Readable, ContentLength)
    },
    async find(name) {
      const command = new sdk.HeadObjectCommand(target(access, name))
      const found = await client.send(command).catch(ignoreMissing)
      return found && toInfo(found)
    },
    delete: (name) => deleteOne(access, name),
    deleteAll: createDeletion(access),
    list: (start, after) => list(access, start, after),
    abortUploads: (before) => abortUploads(access, before),
    async presign(name, seconds, headers) {
      const { getSignedUrl } = await import('@aws-sdk/s3-request-presigner')
      const command = new sdk.GetObjectCommand({
        ...target(access, name),
        ResponseContentType: headers.contentType,
        ResponseContentDisposition: headers.contentDisposition,
        ResponseCacheControl: headers.cacheControl,
      })
      return getSignedUrl(client, command, { expiresIn: seconds })
    },
    async check() {
      await client.send(new sdk.HeadBucketCommand({ Bucket })).catch(throwStoreError)
    },
    readClock: () => readClock(access),
    close() {
      client.destroy()
      sender.destroy()
    },
  }
}

function toSettings(
  { endpoint, region, accessKeyId, secretAccessKey }: BucketPlace,
  withinMs: number,
): Sdk.S3ClientConfig {
  return {
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Servers that are not Amazon's have no name for each bucket, and not all check sums.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: {
      connectionTimeout: Math.min(CONNECT_WITHIN_MS, withinMs),
      requestTimeout: withinMs,
      throwOnRequestTimeout: true,
      httpAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_SOCKETS },
    },
  }
}

const toInfo = ({ ContentLength, LastModified }: Sdk.HeadObjectCommandOutput): ObjectInfo => ({
  sizeBytes: ContentLength ?? 0,
  putAt: LastModified?.getTime() ?? 0,
})

const toSource = ({ bucket, prefix }: Pick<BucketPlace, 'bucket' | 'prefix'>, name: string) =>
  [bucket, ...(prefix + name).split('/')].map(encodeURIComponent).join('/')

async function copyFrom(access: Access, CopySource: string, to: string): Promise<boolean> {
  const command = new access.sdk.CopyObjectCommand({ ...target(access, to), CopySource })
  return access.sender.send(command).then(
    () => true,
    () => false,
  )
}

async function renew(access: Access, name: string): Promise<void> {
  const { sdk, sender, Bucket: bucket, prefix } = access
  const command = new sdk.CopyObjectCommand({
    ...target(access, name),
    CopySource: toSource({ bucket, prefix }, name),
    MetadataDirective: 'REPLACE',
    ContentType: 'text/csv',
  })
  // The server copies the whole object.
  await sender.send(command).catch(throwMissing(name))
}

async function deleteOne(access: Access, name: string): Promise<void> {
  const command = new access.sdk.DeleteObjectCommand(target(access, name))
  await access.client.send(command).catch(ignoreMissing)
}

/** Asks a server that has refused requests for several objects, as Google's does, for each from then on. */
function createDeletion(access: Access): (names: readonly string[]) => Promise<void> {
  let takesMany = true
  return async function deleteAll(names) {
    for (let start = 0; start < names.length; start += DELETED_IN_A_REQUEST) {
      const some = names.slice(start, start + DELETED_IN_A_REQUEST)
      takesMany &&= await deleteTogether(access, some)
      if (!takesMany) await mapLimited(some, REQUESTS_AT_ONCE, (name) => deleteOne(access, name))
    }
  }
}

/** Returns whether the server has deleted them; else they are asked for one by one, which tells why not. */
async function deleteTogether(
  { sdk, client, Bucket, prefix }: Access,
  names: string[],
): Promise<boolean> {
  const Objects = names.map((name) => ({ Key: prefix + name }))
  const command = new sdk.DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } })
  try {
    const { Errors = [] } = await client.send(command)
    return Errors.length === 0
  } catch (error) {
    if (isRefused(error)) return false
    throw toStoreError(error)
  }
}

async function* list({ sdk, client, Bucket, prefix }: Access, start: string, after = '') {
  const StartAfter = after && prefix + after
  const place = { Bucket, Prefix: prefix + start, ...(StartAfter && { StartAfter }) }
  const pages = sdk.paginateListObjectsV2({ client }, place)
  try {
    for await (const { Contents = [] } of pages) {
      for (const { Key = '', Size = 0, LastModified } of Contents) {
        const name = Key.slice(prefix.length)
        yield { name, sizeBytes: Size, putAt: LastModified?.getTime() ?? 0 }
      }
    }
  } catch (error) {
    throw toStoreError(error)
  }
}

async function abortUploads(
  { sdk, client, Bucket, prefix }: Access,
  before: number,
): Promise<number> {
  const listed = await client
    .send(new sdk.ListMultipartUploadsCommand({ Bucket, Prefix: prefix }))
    .catch(throwStoreError)
  const old = (listed.Uploads ?? []).filter(
    ({ Initiated }) => (Initiated?.getTime() ?? before) < before,
  )
  for (const { Key, UploadId } of old) {
    await client
      .send(new sdk.AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
      .catch(ignoreMissing)
  }
  return old.length
}

async function readClock({ sdk, client, Bucket }: Access): Promise<number | null> {
  let date: string | undefined
  const command = new sdk.HeadBucketCommand({ Bucket })
  command.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args)
      const { headers } = result.response as { headers?: Record<string, string> }
      date = headers?.date
      return result
    },
    { step: 'deserialize' },
  )
  await client.send(command).catch(throwStoreError)
  return date === undefined ? null : Date.parse(date)
}

function throwStoreError(error: unknown): never {
  throw toStoreError(error)
}

const throwMissing =
  (name: string) =>
  (error: unknown): never => {
    throw isMissingObject(error) ? missingObject(name) : toStoreError(error)
  }

function ignoreMissing(error: unknown): undefined {
  if (!isMissingObject(error)) throw toStoreError(error)
}
