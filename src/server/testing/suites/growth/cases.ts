import { callCases } from './call-cases'
import { fileCases } from './file-cases'
import { fileServerCases } from './file-server-cases'
import { headerCases } from './header-cases'
import { mailSocketCases } from './mail-socket-cases'
import type { Task } from './measure'
import { networkCases } from './network-cases'
import { otherCases } from './other-cases'
import { sftpSocketCases } from './sftp-socket-cases'

/** A case for each entrance of what others send, by its name. */
export const cases: Readonly<Record<string, Task>> = {
  ...fileCases,
  ...fileServerCases,
  ...callCases,
  ...headerCases,
  ...mailSocketCases,
  ...sftpSocketCases,
  ...otherCases,
  ...networkCases,
}
