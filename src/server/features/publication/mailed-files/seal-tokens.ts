import type { MailInboxRow } from '../../../db/schema'
import type { Deps } from '../../../domain/deps'
import { sealRows, type Sealing } from '../../../domain/seal-rows'
import { sealAnew, type SecretBox } from '../../../secrets/secret-box'
import { eachMailInbox, findInboxOfConnection, updateMailInbox } from './mail-inboxes.queries'

type SealedToken = Pick<MailInboxRow, 'connectionId' | 'sealedToken'>

/** Encrypts the token of a connection’s address; it cannot be decrypted as that of another. */
export const sealToken = (secrets: SecretBox, connectionId: number, token: string): string =>
  secrets.seal(token, placeOf(connectionId))

/** @throws SealError when it cannot be decrypted */
export const openToken = (secrets: SecretBox, { connectionId, sealedToken }: SealedToken): string =>
  secrets.open(sealedToken, placeOf(connectionId))

const placeOf = (connectionId: number) => `mail inbox of connection ${connectionId}`

/** Encrypts the tokens of addresses with the current key. */
export const resealMailInboxes = (deps: Deps): Promise<Sealing> =>
  sealRows(deps, {
    pages: eachMailInbox(deps.db),
    isDue: ({ sealedToken }) => !deps.secrets.isCurrent(sealedToken),
    seal: async (trx, { connectionId }) => {
      const row = await findInboxOfConnection(trx, connectionId)
      if (!row) return
      const sealedToken = sealAnew(deps.secrets, row.sealedToken, placeOf(connectionId))
      await updateMailInbox(trx, row.id, { sealedToken })
    },
  })

/** All that is encrypted of an address. */
export const listSealedOfMailInbox = ({ sealedToken }: MailInboxRow): string[] => [sealedToken]
