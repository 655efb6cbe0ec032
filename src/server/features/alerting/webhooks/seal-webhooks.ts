import type { WriteTransaction } from '../../../db/open'
import type { WebhookRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { sealRows, type Sealing } from '../../../domain/seal-rows'
import { addressPlaceOf, sealAddress } from '../../../secrets/sealed-address'
import { sealAnew, type SecretBox } from '../../../secrets/secret-box'
import { webhookAddressOwner, webhookSecretPlace } from '../../../secrets/webhook-signature'
import { eachWebhook, findWebhook, updateWebhookRow } from './webhooks.queries'

/** Encrypts the addresses that are stored plainly. */
export const sealPlainWebhooks = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachWebhook(deps.db),
    isDue: ({ sealedUrl }) => sealedUrl === null,
    // The secret stays as it is: its key may be missing.
    seal: (trx, row) =>
      changeWebhook(trx, row, (current) => sealPlainAddress(deps.secrets, current)),
  })

/** Encrypts addresses and secrets of webhooks with the current key. */
export const resealWebhooks = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachWebhook(deps.db),
    isDue: (row) => !isCurrent(deps.secrets, row),
    seal: (trx, row) => changeWebhook(trx, row, (current) => resealWebhook(deps.secrets, current)),
  })

/** All that is encrypted of a webhook. */
export const listSealedOfWebhook = ({ sealedUrl, sealedSecret }: WebhookRow): string[] =>
  [sealedUrl, sealedSecret].filter((sealed) => sealed !== null)

const isCurrent = (secrets: SecretBox, row: WebhookRow) =>
  listSealedOfWebhook(row).every((sealed) => secrets.isCurrent(sealed))

type Changes = Partial<Pick<WebhookRow, 'url' | 'sealedUrl' | 'sealedSecret'>>

async function changeWebhook(
  trx: WriteTransaction,
  { id, userId }: WebhookRow,
  seal: (row: WebhookRow) => Changes,
): Promise<void> {
  const row = await findWebhook(trx, { id, userId })
  if (row) await updateWebhookRow(trx, row, seal(row))
}

const sealPlainAddress = (secrets: SecretBox, { url, sealedUrl, userId }: WebhookRow): Changes =>
  sealedUrl === null ? sealAddress(secrets, url, webhookAddressOwner(userId)) : { url }

function resealWebhook(secrets: SecretBox, row: WebhookRow): Changes {
  const { url, sealedUrl, sealedSecret, userId } = row
  const place = addressPlaceOf(webhookAddressOwner(userId), url)
  return {
    sealedUrl: sealedUrl && sealAnew(secrets, sealedUrl, place),
    sealedSecret: sealAnew(secrets, sealedSecret, webhookSecretPlace(userId)),
  }
}
