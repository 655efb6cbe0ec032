import type { NoticeKind } from '../../shared/alerts'
import type { EventDetails } from '../../shared/schemas/alert'

/** What a person is told of the own account. */
export type Notice = {
  kind: NoticeKind
  details?: EventDetails
  /** Where the mail goes: the confirmed address of before, null without one; otherwise to the present one. */
  mailTo?: string | null | undefined
}
