import { countIfWithin } from '../../../domain/attempts'
import type { Deps } from '../../../domain/deps'
import { subjectOf } from './sent-file'
import type { SentFileIds } from './sent-file.queries'

export const TOO_MANY_MAILS = 'enough mails with files were sent to this company within an hour'

/** Counts a mail with a file, or the trial of one; false when there were enough within an hour. */
export const mayMail = (deps: Deps, of: SentFileIds) =>
  countIfWithin(deps, [{ limit: 'mailFile', subject: subjectOf(of) }])
