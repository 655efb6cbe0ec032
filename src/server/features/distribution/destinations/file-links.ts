import { FILE_LINK_DAYS } from '../../../../shared/destinations'
import { DAY_MS } from '../../../../shared/durations'
import { inLossyTransaction, inTransaction, type WriteTransaction } from '../../../db/open'
import type { NewFileLinkRow } from '../../../db/schema'
import { readClientFamily } from '../../../domain/client-family'
import type { Deps } from '../../../domain/deps'
import { DomainError } from '../../../domain/errors'
import { hashSecretToken } from '../../../domain/secret-token'
import { FileError } from '../../../files/file-error'
import { productUrl } from '../../../mail/mail-body'
import type { ReadableFile } from '../../catalogue/versions/connection-files'
import { countMergedRead } from '../merged-files/merged-addresses.queries'
import { toMergedLimit } from '../merged-files/merged-quota'
import { isStillSeen, listRelations } from '../merged-files/relations'
import { countRetailers } from '../retailers/retailers.queries'
import { requireStored } from '../stored-files/storage-cleaning'
import { DERIVED_SHARE } from '../stored-files/storage-usage'
import { listMailPeople } from './destinations.queries'
import { deleteFileLinks, findFileLink, listLinkedFiles, putFileLink } from './file-links.queries'
import type { SentFile } from './sent-file'

const PURPOSE = 'stockbridge link to a sent file'
const LINK_MS = FILE_LINK_DAYS * DAY_MS

const NO_ROOM =
  'The file is too large for a mail, and there is no room to keep it for a link: fewer columns or rows make it smaller.'

export type LinkedMail = { dispatchId: number; createdAt: number; userId: number; address: string }

/**
 * The same for each attempt to send the same file to the same person, so that the link of a mail that came first works
 * as well as that of the next. Only its hash is stored.
 */
const toToken = (deps: Deps, { dispatchId, createdAt, userId, address }: LinkedMail): string =>
  deps.secrets.sign(`${dispatchId} ${createdAt} ${userId} ${address}`, PURPOSE).hmac

type Linked = Omit<NewFileLinkRow, 'tokenHash' | 'createdAt' | 'endsAt' | 'userId'>

/**
 * Makes the address from which one person downloads a file for a week, and keeps the file for as long.
 * @throws FileError `too-large` when there is no room to keep it
 */
export async function createFileLink(
  deps: Deps,
  { mail, of, file }: { mail: LinkedMail; of: SentFile; file: Linked },
): Promise<{ url: string; endsAt: number }> {
  const token = toToken(deps, mail)
  const createdAt = deps.clock.now()
  const endsAt = createdAt + LINK_MS
  await inTransaction(deps.db, async (trx) => {
    await makeRoom(trx, deps, { of, file })
    await requireStored(trx, deps, [file.sha256])
    const { userId } = mail
    await putFileLink(trx, {
      ...file,
      userId,
      tokenHash: hashSecretToken(token),
      createdAt,
      endsAt,
    })
  })
  return { url: productUrl(deps, `/files/${token}`), endsAt }
}

/**
 * Files of links may take as much as filtered files. A retailer that has no room for its newest one loses the links to
 * its oldest ones; one that takes less than an equal share of all has room whatever others take.
 */
async function makeRoom(
  trx: WriteTransaction,
  { config }: Deps,
  { of: { supplierId, retailerId, mergedFileId }, file }: { of: SentFile; file: Linked },
): Promise<void> {
  const { sha256, sizeBytes } = file
  const linked = await listLinkedFiles(trx, supplierId === null ? { mergedFileId } : { supplierId })
  let files = linked.filter((one) => one.sha256 !== sha256)
  const most =
    supplierId === null
      ? toMergedLimit(config)
      : Math.floor(config.maxStoragePerSupplierBytes * DERIVED_SHARE)
  const sharers = supplierId === null ? 1 : await countRetailers(trx, { supplierId })
  const share = most / Math.max(1, sharers)
  const isMine = (one: { retailerId: number | null }) => one.retailerId === retailerId
  const hasRoom = () =>
    sum(files) + sizeBytes <= most || sum(files.filter(isMine)) + sizeBytes <= share
  while (!hasRoom()) {
    const oldest = files.find(isMine)
    if (!oldest) throw new FileError('too-large', NO_ROOM)
    await deleteFileLinks(trx, { retailerId, mergedFileId, sha256: oldest.sha256 })
    files = files.filter((one) => one !== oldest)
  }
}

/** What several retailers have links to is stored once. */
const sum = (files: readonly { sha256: string; sizeBytes: number }[]) =>
  [...new Map(files.map(({ sha256, sizeBytes }) => [sha256, sizeBytes])).values()].reduce(
    (total, sizeBytes) => total + sizeBytes,
    0,
  )

export type LinkedFile = ReadableFile & { linkId: number; modifiedAt: number; rowCount: number }

/**
 * Opens the file of a link, as often as somebody asks for it.
 * @throws DomainError NOT_FOUND for a link that never was or has ended: after a week, with its retailer or its
 *   destination, and when its recipient has left, was deactivated or gets no more mails of it
 */
export async function openFileLink(deps: Deps, token: string): Promise<LinkedFile> {
  const now = deps.clock.now()
  const link = await findFileLink(deps.db, hashSecretToken(token), now)
  if (!link?.recipients.includes(link.userId)) throw ended()
  const people = await listMailPeople(deps.db, link.companyId)
  if (!people.some(({ id }) => id === link.userId)) throw ended()
  const { retailerId, mergedFileId, versionId, versionName } = link
  const { dataAsOf, rowCount, sha256, sizeBytes, mergedFrom, companyId } = link
  // A merged file leads to what was seen of several suppliers.
  if (mergedFrom && !isStillSeen(mergedFrom, await listRelations(deps.db, companyId))) throw ended()
  return {
    linkId: link.id,
    title: '',
    dataAsOf,
    sha256,
    sizeBytes,
    rowCount,
    modifiedAt: link.createdAt,
    form: toForm(link),
    onRead: async ({ userAgent, isSent }) => {
      if (mergedFileId !== null && isSent) {
        await inLossyTransaction(deps.db, (trx) => countMergedRead(trx, mergedFileId))
      }
      if (retailerId === null) return
      const sent = { variantId: null, fileName: versionName, dataAsOf, rowCount, sizeBytes }
      deps.pulls.add({
        retailerId,
        versionId,
        addressId: null,
        pulledAt: deps.clock.now(),
        client: readClientFamily(userAgent),
        sent: isSent ? sent : null,
      })
    },
  }
}

const ended = () => new DomainError('NOT_FOUND', 'This link does not work any more')

function toForm({ fileName, mediaType }: { fileName: string; mediaType: string }) {
  const at = fileName.lastIndexOf('.')
  return { mediaType, name: fileName.slice(0, at), extension: fileName.slice(at + 1) }
}
