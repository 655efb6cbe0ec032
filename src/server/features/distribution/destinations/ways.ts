import type { DestinationKind } from '../../../../shared/destinations'
import type { SendInOneWay } from './outgoing'
import { sendByMail } from './send-by-mail'
import { sendToAddress } from './send-to-address'

/** How files are sent to each kind of destination. */
export const SEND_BY_KIND: Record<DestinationKind, SendInOneWay> = {
  sftp: sendToAddress,
  ftp: sendToAddress,
  s3: sendToAddress,
  web: sendToAddress,
  mail: sendByMail,
}
