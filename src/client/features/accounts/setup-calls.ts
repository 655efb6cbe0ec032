import type { OfferedBackup, RestoreProgress, SetupInput } from '../../../shared/schemas/setup'
import { FileRequestError } from '../../lib/check-file'
import { UnreachableError } from '../../lib/error-message'
import { sendFile } from '../../lib/send-file'

/** Not by procedures: the product that has them is not there yet. */
async function call<Answer = unknown>(path: string, body?: object): Promise<Answer> {
  const response = await fetch(path, {
    ...(body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  }).catch(() => {
    throw new UnreachableError()
  })
  const answer = (await response.json().catch(() => ({}))) as { message?: string }
  if (response.ok) return answer as Answer
  throw new FileRequestError(response.status, answer.message)
}

/** @throws FileRequestError with status 404 once there is an administrator */
export const findSetup = () => call('/api/setup')

/** @throws FileRequestError with the server's message for another token */
export const checkToken = (token: string) => call('/api/setup/check', { token })

/** @throws FileRequestError with the server's message */
export const setUp = (input: SetupInput) => call('/api/setup', input)

/** The backups that there are, and where. @throws FileRequestError with the server's message */
export const listBackups = (token: string) =>
  call<{ place: string; backups: OfferedBackup[] }>('/api/setup/backups', { token })

/**
 * Sends a backup.
 * @param onProgress called with the share that has been sent, from 0 to 1
 * @throws FileRequestError with the server's message
 */
export const sendBackup = (token: string, file: File, onProgress: (share: number) => void) =>
  sendFile<OfferedBackup>('/api/setup/backup', file, {
    method: 'POST',
    onProgress,
    headers: { 'x-setup-token': token },
  })

/** Begins to restore a backup. @throws FileRequestError with the server's message */
export const startRestore = (token: string, choice: { backup: string; isTrusted: boolean }) =>
  call<RestoreProgress>('/api/setup/restore', { token, ...choice })

/** @throws FileRequestError with status 404 once there is an administrator, 503 while the data are replaced */
export const readProgress = (token: string) =>
  call<RestoreProgress>('/api/setup/progress', { token })
