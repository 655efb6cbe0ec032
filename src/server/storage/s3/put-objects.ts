import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'

import { target, type Access } from './access'
import { statusOf, toStoreError } from './store-errors'

/** The smallest that Amazon takes; parts are held in memory, two at a time. */
const PART_BYTES = 5 * 1024 * 1024
const PARTS_AT_ONCE = 2

/** Puts a file under a name, in parts if it is large. */
export async function put(access: Access, name: string, path: string): Promise<void> {
  const { Upload } = await import('@aws-sdk/lib-storage')
  const body = createReadStream(path)
  const upload = new Upload({
    client: access.sender,
    partSize: PART_BYTES,
    queueSize: PARTS_AT_ONCE,
    params: { ...target(access, name), Body: body, ContentType: 'text/csv' },
  })
  try {
    await upload.done()
  } catch (error) {
    const { errored } = body
    throw errored && 'syscall' in errored ? errored : toStoreError(error)
  } finally {
    body.destroy()
  }
}

/** What the server has made of a condition. */
type Answer = 'put' | 'stored' | 'refused'

/**
 * Returns what puts a small file if there is no object of its name, by one request, and says whether it has. It has not
 * if the file is large, or the server refuses such conditions or does not heed them, which is tried once.
 */
export function createPutNew(access: Access): (name: string, path: string) => Promise<boolean> {
  let heedsConditions: Promise<boolean> | undefined

  /** Of an object that is there. */
  const tryCondition = async (name: string, path: string) =>
    (await putWithCondition(access, name, path)) === 'stored'

  return async (name, path) => {
    if ((await stat(path)).size > PART_BYTES || (await heedsConditions) === false) return false
    const answer = await putWithCondition(access, name, path)
    if (answer === 'refused') heedsConditions = Promise.resolve(false)
    else if (answer === 'put') await (heedsConditions ??= tryCondition(name, path))
    return answer === 'put'
  }
}

async function putWithCondition(access: Access, name: string, path: string): Promise<Answer> {
  const Body = await readFile(path)
  const object = { ...target(access, name), Body, ContentType: 'text/csv' }
  const command = new access.sdk.PutObjectCommand({ ...object, IfNoneMatch: '*' })
  try {
    await access.sender.send(command)
    return 'put'
  } catch (error) {
    if (NOT_NEW.has(statusOf(error))) return 'stored'
    if (REFUSED.has(statusOf(error))) return 'refused'
    throw toStoreError(error)
  }
}

/** There is such an object, or one is being put. */
const NOT_NEW = new Set([412, 409])
const REFUSED = new Set([400, 501])
